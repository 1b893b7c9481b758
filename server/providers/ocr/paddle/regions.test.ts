import { regionsOf } from './regions'
import { withStrokes } from './strokes'

/** A map with rectangles of text: left, top, width, height. */
function mapOf(width: number, height: number, rects: readonly (readonly number[])[], slope = 0) {
  const data = new Float32Array(width * height)
  for (const [left = 0, top = 0, w = 0, h = 0] of rects)
    for (let x = left; x < left + w; x++)
      for (let y = top; y < top + h; y++) data[Math.round(y + (x - left) * slope) * width + x] = 0.9
  return { data, width, height }
}

test('each group of pixels is a region, larger than what is marked', () => {
  const { angle, regions } = regionsOf(
    mapOf(300, 100, [
      [20, 20, 60, 8],
      [150, 40, 8, 8],
      [250, 80, 2, 2],
    ]),
  )
  expect(angle).toBe(0)
  expect(regions).toHaveLength(2)
  const [first] = regions
  expect(first?.left).toBeLessThan(20)
  expect(first?.height).toBeGreaterThan(12)
})

test('the angle of a page is that of its long lines', () => {
  const { angle } = regionsOf(
    mapOf(
      400,
      200,
      [
        [20, 20, 300, 8],
        [20, 100, 300, 8],
      ],
      0.035,
    ),
  )
  expect(angle).toBeCloseTo(0.035, 2)
})

/** 白银 as two characters of 40 px, and a line 48 px high with bars behind them. */
const word = [...'白银'].map((char, i) => ({ char, probability: 1, x: 20 + 40 * i }))
function barsAt(...lefts: readonly number[]) {
  const [width, height] = [160, 48]
  const data = new Uint8Array(width * height * 3)
  for (const left of lefts)
    for (let y = 8; y < 40; y++) data.fill(240, 3 * (y * width + left), 3 * (y * width + left + 5))
  return { data, width, height }
}
const readAs = (char: string) => [...word, { char, probability: 0.3, x: 100 }]
const textOf = (chars: readonly { char: string; probability: number }[]) => ({
  text: chars.map(({ char }) => char).join(''),
  score: Math.min(...chars.map(({ probability }) => probability)),
})

test('a Roman numeral has the strokes that are seen, however it was read', () => {
  for (const char of ['Ⅱ', '川', '！', 'l'])
    expect(textOf(withStrokes(barsAt(96, 110), readAs(char)))).toEqual({ text: '白银II', score: 1 })
  expect(textOf(withStrokes(barsAt(92, 106, 120), readAs('I'))).text).toBe('白银III')
  const divided = [...word, { char: '·', probability: 1, x: 84 }, { char: '「', probability: 0.3, x: 100 }]
  expect(textOf(withStrokes(barsAt(96, 110), divided))).toEqual({ text: '白银·II', score: 1 })
})

test('strokes that cannot be counted are improbable, and other signs stay', () => {
  expect(textOf(withStrokes(barsAt(90, 100, 110, 120), readAs('I'))).score).toBe(0)
  expect(withStrokes(barsAt(96, 110), readAs('V'))).toEqual(readAs('V'))
  expect(withStrokes(barsAt(96, 110), [{ char: '川', probability: 0.9, x: 20 }])).toHaveLength(1)
})
