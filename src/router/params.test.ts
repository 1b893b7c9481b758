import fc from 'fast-check'
import { buildUrl, decodeValue, readParams, splitQuery } from './params'
import { type RouteName, routes } from './routes'

const queryOf = (url: string) => splitQuery(url.split('?')[1] ?? '')
const withParams = (Object.keys(routes) as RouteName[]).filter((name) => 'params' in routes[name])

it('carries every text once around: encoded once, decoded once', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 })
  fc.assert(
    fc.property(fc.constantFrom(...withParams), text, (name, value) => {
      const declared = (routes[name] as { params: readonly string[] }).params
      const params = Object.fromEntries(declared.map((key) => [key, value]))
      expect(readParams(name, queryOf(buildUrl(name, params as never)))).toEqual(params)
    }),
  )
})

it('never throws and gives nothing but declared texts, whatever the query', () => {
  fc.assert(
    fc.property(fc.string(), (query) => {
      for (const value of Object.values(readParams('report', splitQuery(query)))) expect(typeof value).toBe('string')
    }),
  )
})

it('drops what Taro adds, what is not declared, and what is damaged', () => {
  const raw = { orderId: 'a%2Bb', stamp: '1', $taroTimestamp: 2, reportNo: '%E4%', shareToken: '', toString: 'x' }
  expect(readParams('report', raw)).toEqual({ orderId: 'a+b' })
  expect(readParams('mine', raw)).toEqual({})
})

it('decodes once only', () => {
  expect(decodeValue('%252e')).toBe('%2e')
})

it('takes the first of a repeated key, in both forms the runtimes give it', () => {
  expect(splitQuery('a=1&a=2&b&=3')).toEqual({ a: '1', b: '' })
  expect(decodeValue(['1', '2'])).toBe('1')
})

it('does not let a query reach the prototype', () => {
  expect(splitQuery('__proto__=1&constructor=2')).toEqual({ constructor: '2' })
  expect(readParams('report', Object.create({ orderId: 'inherited' }))).toEqual({})
})

it('drops values that are far too long', () => {
  expect(decodeValue('x'.repeat(4097))).toBeUndefined()
})
