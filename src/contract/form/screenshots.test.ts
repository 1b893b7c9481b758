import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { screenshotsFor } from './screenshots'
import type { FormConfig } from './types'

const folder = path.join(__dirname, '../../../server/fixtures/games')
const games = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as FormConfig)

test.each(games.map((game) => [game.name, game] as const))('%s asks for a profile and its main drivers', (_, game) => {
  const wanted = screenshotsFor(game)
  expect(wanted[0]?.kind).toBe('PROFILE')
  expect(wanted.filter(({ kind }) => kind === 'COLLECTION').length).toBeGreaterThan(0)
  expect(new Set(wanted.map(({ title }) => title)).size).toBe(wanted.length)
  const most = game.fields.find(({ type }) => type === 'image')?.rules.maxItems ?? 9
  expect(wanted.length).toBeLessThanOrEqual(most)
})
