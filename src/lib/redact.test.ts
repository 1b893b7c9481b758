import { redact } from './redact'

it.each([
  ['Unexpected token 张, "{"name":"zhang"}" is not valid JSON', 'Unexpected token *, "" is not valid JSON'],
  ['call /pages/report?orderId=o1&shareToken=abc failed', 'call /pages/report failed'],
  ['mobile 13800138000 is taken', 'mobile # is taken'],
  ['no such token 9f8a7b6c5d4e3f2a1b0c9d8e', 'no such token *'],
  ['zhang.san@example.com', '@'],
  ['x is not a function\n    at fill (common.js:1:234)', 'x is not a function\n    at fill (common.js:1:234)'],
])('%s', (text, kept) => {
  expect(redact(text)).toBe(kept)
})

it('limits the length of its result', () => {
  expect(redact('a '.repeat(1000))).toHaveLength(600)
})
