import type { Answers, FormConfig } from '@/contract/form/types'
import { keepsAccount, sameAccount } from './account-identity'

const field = (key: string, role: string) => ({ key, role })
const config = {
  fields: [
    field('campId', 'lookup'),
    field('system', 'none'),
    ...['level', 'skins', 'heroes', 'rank', 'nobility'].map((key) => field(key, 'count')),
  ],
} as unknown as FormConfig
const account: Answers = { level: 30, skins: 80, heroes: 90, rank: 12, nobility: 8 }

/** The account with the first so many answers changed. */
const changed = (n: number): Answers =>
  Object.fromEntries(Object.entries(account).map(([key, value], i) => [key, i < n ? Number(value) + 1 : value]))

describe.each([
  ['sameAccount', sameAccount],
  ['keepsAccount', keepsAccount],
])('%s', (_, isSame) => {
  test.each([
    [0, true],
    [2, true],
    [3, false],
    [5, false],
  ])('without public ids, %i of five answers changed: %s', (n, expected) => {
    expect(isSame(config, account, changed(n))).toBe(expected)
  })

  test('answers that identify no account are not compared', () => {
    expect(isSame(config, {}, {})).toBe(false)
    expect(isSame(config, { system: 1 }, { system: 1 })).toBe(false)
  })

  test('two public ids are two accounts', () => {
    expect(isSame(config, { ...account, campId: '1' }, { ...account, campId: '2' })).toBe(false)
  })
})

test('another server is another account, unless its public id is equal or the order’s answers are corrected', () => {
  const fixed = { ...config, fields: [...config.fields, field('server', 'factor')] } as unknown as FormConfig
  const [android, ios] = [
    { ...account, server: 'android' },
    { ...account, server: 'ios' },
  ]
  expect(sameAccount(fixed, android, { ...android, level: 31 })).toBe(true)
  expect(sameAccount(fixed, android, account)).toBe(true)
  expect(sameAccount(fixed, android, ios)).toBe(false)
  expect(sameAccount(fixed, { ...android, campId: '1' }, { ...ios, campId: '1' })).toBe(true)
  expect(keepsAccount(fixed, android, ios)).toBe(true)
})

test('an equal public id is the same account, and does not keep one that was paid for', () => {
  const [a, b] = [
    { ...account, campId: '1' },
    { ...changed(5), campId: '1' },
  ]
  expect([sameAccount(config, a, b), keepsAccount(config, a, b)]).toEqual([true, false])
})

test('answers that are added keep the account', () => {
  expect(keepsAccount(config, { level: 30 }, account)).toBe(true)
  expect(sameAccount(config, { level: 30 }, account)).toBe(false)
})

test('the same account with fewer answers is the same, unless most are missing', () => {
  const { level, skins, heroes } = account
  expect(sameAccount(config, account, { level, skins, heroes })).toBe(true)
  expect(sameAccount(config, account, { level, skins })).toBe(false)
})
