import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { missingScreenshots, screenshotsFor, shortTitle } from './screenshots'
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

test('a screenshot is missing where none of its fields was read', () => {
  const field = (key: string, role: 'value' | 'value*' | 'factor') =>
    ({ key, label: key, group: 'g', type: 'int', role, required: false, rules: {}, sort: 1 }) as const
  const form = { fields: [field('level', 'value'), field('skins', 'value*'), field('server', 'factor')] }
  const missing = (...read: string[]) => missingScreenshots(form, read).map(shortTitle)
  expect(missing('level', 'skins', 'server')).toEqual([])
  expect(missing('level')).toEqual(['skins', '账号与安全页'])
  expect(missing('skins', 'server')).toEqual(['个人主页'])
})
