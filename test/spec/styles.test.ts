/** Variables of the style sheets: a name that nothing defines makes its declaration void, without a warning. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const src = path.resolve(__dirname, '../../src')
const text = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.scss'))
  .map((file) => readFileSync(path.join(src, file), 'utf8'))
  .join('\n')
const names = (pattern: RegExp) => new Set(Array.from(text.matchAll(pattern), ([, name]) => name))

it('defines every variable that is used without a fallback', () => {
  const used = names(/var\((--[\w-]+)\)/g)
  const defined = names(/^\s*(--[\w-]+):/gm)
  expect([...used].filter((name) => !defined.has(name))).toEqual([])
  expect(used.size).toBeGreaterThan(40)
})
