import { dayHeadings } from './dayHeadings'

const at = (text: string) => Date.parse(`${text}+08:00`)
const now = at('2026-11-23T10:00')
const message = (id: string, text: string) => ({ id, createdAt: at(text) })

it('names a day once, above its first message', () => {
  const list = [
    message('a', '2026-11-23T09:00'),
    message('b', '2026-11-23T00:00'),
    message('c', '2026-11-22T23:59'),
    message('d', '2026-11-01T12:00'),
    message('e', '2025-12-31T12:00'),
  ]
  expect([...dayHeadings(list, now)]).toEqual([
    ['a', '今天'],
    ['c', '昨天'],
    ['d', '11月1日'],
    ['e', '2025年12月31日'],
  ])
})

it('a slow clock does not date a message tomorrow', () => {
  expect([...dayHeadings([message('a', '2026-11-24T00:10')], now)]).toEqual([['a', '今天']])
  expect(dayHeadings([], now).size).toBe(0)
})
