import { readFileSync } from 'node:fs'

/**
 * Contrast on gradients, which axe cannot decide. Between two stops every channel changes in one direction, so the
 * lightest place of a gradient is one of its stops, and white text has its lowest contrast there.
 */

type Rgb = readonly [number, number, number]

function parse(hex: string): Rgb {
  const channel = (start: number) => Number.parseInt(hex.slice(start, start + 2), 16)
  return [channel(1), channel(3), channel(5)]
}

const linear = (channel: number) => (channel <= 10.31 ? channel / 3294.6 : ((channel / 255 + 0.055) / 1.055) ** 2.4)
const luminance = ([r, g, b]: Rgb) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)

const [BLACK, WHITE]: [Rgb, Rgb] = [
  [0, 0, 0],
  [255, 255, 255],
]
/** A colour of this opacity on another. */
const over = (top: Rgb, opacity: number, ground: Rgb): Rgb => {
  const channel = (i: 0 | 1 | 2) => ground[i] + (top[i] - ground[i]) * opacity
  return [channel(0), channel(1), channel(2)]
}
/** WCAG 2 */
function contrast(first: Rgb, second: Rgb): number {
  const [a, b] = [luminance(first), luminance(second)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}
const contrastOfWhite = (hex: string, opacity = 1) => contrast(over(WHITE, opacity, parse(hex)), parse(hex))

const coloursOf = (text: string): string[] => text.match(/#[\da-f]{6}/g) ?? []

const priceGradients = [...readFileSync('src/ui/tokens.scss', 'utf8').matchAll(/--price-gradient: (.*);/g)].map(
  ([, gradient = '']) => coloursOf(gradient),
)
const priceCard = readFileSync('src/features/report/parts/PriceCard.scss', 'utf8')
const bar = readFileSync('src/ui/PriceRangeBar/PriceRangeBar.scss', 'utf8')
const tiles = coloursOf(readFileSync('src/ui/GameTile/GameTile.scss', 'utf8'))

/** the most transparent white of a text on a price card */
const LEAST_OPACITY = 0.92

it('text on the price gradient has 4.5:1, light and dark', () => {
  expect(priceGradients.map((stops) => stops.length)).toEqual([3, 3])
  for (const colour of priceGradients.flat())
    expect({ colour, read: contrastOfWhite(colour, LEAST_OPACITY) >= 4.5 }).toEqual({ colour, read: true })
  // no text of the card is more transparent
  const texts = [
    ...priceCard.matchAll(/ opacity: (0\.\d+);/g),
    ...bar.matchAll(/--range-soft: rgba\(255, 255, 255, ([\d.]+)\)/g),
  ]
  expect(texts.length).toBeGreaterThan(2)
  for (const [rule, opacity] of texts)
    expect({ rule, least: Number(opacity) >= LEAST_OPACITY }).toEqual({ rule, least: true })
})

it('the label of a price card has 4.5:1, on the gradient and in pink, as has its button', () => {
  const [, shade] = /__label \{[^}]*background: rgba\(0, 0, 0, ([\d.]+)\)/.exec(priceCard) ?? []
  const [, pink = ''] = /__label--MANUAL \{\s*background: (#[\da-f]{6})/.exec(priceCard) ?? []
  const [, button = ''] = /__action \{[^}]*\n {2}color: (#[\da-f]{6})/.exec(priceCard) ?? []
  for (const stop of priceGradients.flat())
    expect(contrast(WHITE, over(BLACK, Number(shade), parse(stop)))).toBeGreaterThanOrEqual(4.5)
  expect(contrastOfWhite(pink)).toBeGreaterThanOrEqual(4.5)
  expect(contrastOfWhite(button)).toBeGreaterThanOrEqual(4.5)
})

it('the band of a price card has 3:1 to the gradient', () => {
  const [, fill] = /--range-fill: rgba\(255, 255, 255, ([\d.]+)\)/.exec(bar) ?? []
  for (const stop of priceGradients.flat()) expect(contrastOfWhite(stop, Number(fill))).toBeGreaterThanOrEqual(3)
})

it('the picture of a game tile has 3:1 on both of its colours', () => {
  expect(tiles).toHaveLength(20)
  for (const colour of tiles) expect({ colour, seen: contrastOfWhite(colour) >= 3 }).toEqual({ colour, seen: true })
})
