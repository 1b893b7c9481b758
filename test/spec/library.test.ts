/** Babel adds no polyfills: the app uses only what its oldest devices have (babel.config.js). */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { newerMethods } from '../newer-library'

const src = path.resolve(__dirname, '../../src')
const newer = new RegExp(
  `\\.(${[...newerMethods].join('|')})\\(|\\b(structuredClone|queueMicrotask|globalThis|WeakRef)\\b|\\(\\?<[=!]`,
)

it('the app calls no library function that is newer than its oldest devices', () => {
  const product = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|^sw\//.test(file),
  )
  const lines = product.flatMap((file) =>
    readFileSync(path.join(src, file), 'utf8')
      .split('\n')
      .filter((line) => newer.test(line.replace(/\/\/.*|^\s*\*.*/, '')))
      .map((line) => `${file}: ${line.trim()}`),
  )
  expect(lines).toEqual([])
})

it('the app starts with Object.fromEntries where the host lacks it', () => {
  const native = Object.fromEntries
  try {
    Object.assign(Object, { fromEntries: undefined })
    jest.isolateModules(() => require('@/lib/fromEntries'))
    expect(Object.fromEntries).not.toBe(native)
    expect(Object.fromEntries([['a', 1]])).toEqual({ a: 1 })
  } finally {
    Object.fromEntries = native
  }
  for (const file of ['app.tsx', 'boot/h5-router.ts'])
    expect(readFileSync(path.join(src, file), 'utf8')).toMatch(/^import '@\/lib\/fromEntries'\n/)
})
