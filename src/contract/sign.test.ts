import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { canonicalGet, signedPairs, toQuery } from './query'
import { sign } from './sign'

const secret = 'test-secret'

test.each([
  [{ gameId: 'hok', mode: 'AI' }, 1763692800000, '042137', '0b642ebdc3ec6c632ec35634c6f5e9f3'],
  [{}, 1763692800000, '999999', '5d45c9b4c62b7e533616de5f0308fa4e'],
  [
    { keyword: '原神 a&b=c', pageNo: 1, x: undefined, Z: true, a: [1, '二'] },
    1763692800123,
    '100000',
    '620dcf7797b6a64f6e1dcd2f2eb7709d',
  ],
])('a GET with %j has this signature', (params, timestamp, random, expected) => {
  expect(sign({ canonical: canonicalGet(params), timestamp, random, secret })).toBe(expected)
})

test.each([
  ['{"mobile":"13800138000","code":"123456"}', '042137', '6f1a59fb56f894422f71ca9782251868'],
  ['', '042137', '038775d73b5e14254a214790dd3731c3'],
  ['{"content":"估价\\"不准\\"\\n😀","images":[]}', '300001', 'a8da4122ca97fd646919e1c1e98bf245'],
])('a POST of %s has this signature', (canonical, random, expected) => {
  expect(sign({ canonical, timestamp: 1763692800000, random, secret })).toBe(expected)
})

/** Every JavaScript object moves integer-like keys to the front, so these test the sorting most thoroughly. */
const params = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true })

test('the order of keys does not matter', () => {
  fc.assert(
    fc.property(params, fc.infiniteStream(fc.integer()), (given, seeds) => {
      const shuffled = Object.entries(given)
        .map((entry) => ({ entry, at: seeds.next().value as number }))
        .sort((a, b) => a.at - b.at)
        .map(({ entry }) => entry)
      expect(canonicalGet(Object.fromEntries(shuffled))).toBe(canonicalGet(given))
    }),
  )
})

test('undefined and null are dropped, everything else is kept', () => {
  fc.assert(
    fc.property(params, fc.array(fc.string()), (given, absent) => {
      const extra = Object.fromEntries(
        absent.filter((key) => !(key in given)).map((key, i) => [key, i % 2 ? null : undefined]),
      )
      expect(canonicalGet({ ...given, ...extra })).toBe(canonicalGet(given))
      expect(signedPairs(given)).toHaveLength(Object.values(given).filter((value) => value !== null).length)
    }),
  )
})

test('the query that a server decodes is the signed one', () => {
  const wellFormed = fc.string({ unit: 'grapheme' })
  fc.assert(
    fc.property(
      fc.dictionary(wellFormed, fc.oneof(wellFormed, fc.integer(), fc.boolean()), { noNullPrototype: true }),
      (given) => {
        const decoded = [...new URLSearchParams(toQuery(given))]
        expect(decoded).toEqual(signedPairs(given))
      },
    ),
  )
})

test('the MD5 covers the UTF-8 bytes, as any other client computes it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (canonical) => {
      const text = `${canonical}&timestamp=1&random=000001&secret=${secret}`
      const expected = createHash('md5').update(text, 'utf8').digest('hex')
      expect(sign({ canonical, timestamp: 1, random: '000001', secret })).toBe(expected)
    }),
  )
})
