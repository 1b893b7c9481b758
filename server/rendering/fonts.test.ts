import fc from 'fast-check'
import { openSync } from 'fontkit'
import { type FontName, fontFiles, runs, shorten, widthOf, wrap } from './fonts'

const fonts = Object.fromEntries(
  Object.entries(fontFiles).map(([face, file]) => [face, openSync(file)]),
) as unknown as Record<FontName, { hasGlyphForCodePoint(p: number): boolean }>
/** characters of runs that their font lacks */
const missing = (text: string) =>
  runs(text).flatMap(({ face, text: run }) =>
    Array.from(run).filter((c) => !fonts[face].hasGlyphForCodePoint(c.codePointAt(0) ?? 0)),
  )

const names = ['囧喆堃犇𠮷', '戰隊の王者ギルド', '👨‍👩‍👧‍👦🔥1️⃣🇨🇳👍🏽❤️', '한글 ไทย عربي', '𓀀\uFFFD\u{10FFFF}', '꧁༺峡谷༻꧂']

test('no glyph is missing, whatever the name', () => {
  for (const name of names) expect(missing(name)).toEqual([])
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (name) => missing(name).length === 0))
  fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (name) => missing(name).length === 0))
})

test('rare characters are themselves; an emoji, and what no font has, is a star', () => {
  expect(runs('囧a🔥𓀀')).toEqual([
    { face: 'rare', text: '囧' },
    { face: 'regular', text: 'a**' },
  ])
  expect(runs('👨‍👩‍👧‍👦')).toEqual([{ face: 'regular', text: '*' }])
})

test('nothing turns the text round or piles up on the lines around', () => {
  expect(runs('a\u202Eb\u0000c\u200B')).toEqual([{ face: 'regular', text: 'abc' }])
  expect(runs(`Z${'\u0317'.repeat(40)}`)).toEqual([{ face: 'regular', text: 'Z' }])
})

test('lines fit, numbers stay whole, nothing is lost but behind a dot dot dot', () => {
  const text = '含两款绝版皮肤，近期有买家专门求购，预计 ¥2,323.50 可成交（参考价）。'
  const lines = wrap(text, { size: 24, width: 300 })
  expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
  expect(lines.some((line) => line.includes('¥2,323.50'))).toBe(true)
  // closing punctuation may hang over the end
  for (const line of lines) expect(widthOf(line.replace(/[，。）]+$/, ''), 24)).toBeLessThanOrEqual(300)
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (any) => {
      const [line = '', ...rest] = wrap(any, { size: 24, width: 120, lines: 1 })
      return rest.length === 0 && widthOf(shorten(line, { size: 24, width: 120 }), 24) <= 120
    }),
  )
})

it.each(['+¥1,234.56', '−¥12,345.00', '¥1,930 – ¥2,790', '“没有”'])(
  'no line ends inside %s, wherever the line is full',
  (amount) => {
    for (let width = 130; width < 400; width += 7)
      expect(
        wrap(`折算后的变化是${amount}，其余各项合计也一样`, { size: 14, width }).some((line) => line.includes(amount)),
      ).toBe(true)
  },
)
