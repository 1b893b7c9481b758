import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { screenshotName, screenshotsFor, screenshotsMissing } from './screenshots'
import type { FormConfig } from './types'

const folder = path.join(__dirname, '../../../server/fixtures/games')
const games = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as FormConfig)

test.each(games.map((game) => [game.name, game] as const))('%s asks for a profile and its main drivers', (_, game) => {
  const wanted = screenshotsFor(game)
  expect(screenshotName(wanted[0] ?? { title: '', fields: [] })).toBe('个人主页')
  const main = game.fields.find(({ role }) => role === 'value*')
  expect(wanted.map(screenshotName)).toContain(main?.label)
  expect(new Set(wanted.map(({ title }) => title)).size).toBe(wanted.length)
  const most = game.fields.find(({ type }) => type === 'image')?.rules.maxItems ?? 9
  expect(wanted.length).toBeLessThanOrEqual(most)
})

test.each(games.map((game) => [game.name, game] as const))('%s misses what nothing was read of', (_, game) => {
  expect(screenshotsMissing(game, {})).toEqual(screenshotsFor(game))
  const main = game.fields.find(({ role }) => role === 'value*')
  const missing = screenshotsMissing(game, { [main?.key ?? '']: 3 }).map(screenshotName)
  expect(missing).toContain('个人主页')
  expect(missing).not.toContain(main?.label)
})
