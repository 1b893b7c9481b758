import { readFileSync } from 'node:fs'

/**
 * Contrast on gradients, which axe cannot decide. Between two stops every channel changes in one direction, so the
 * lightest place of a gradient is one of its stops, and white text has its lowest contrast there.
 */

type Rgb = readonly [number, number, number]

function parse(hex: string): Rgb {
  const channel = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16)
  return [channel(1), channel(3), channel(5)]
}

const linear = (channel: number) => (channel <= 10.31 ? channel / 3294.6 : ((channel / 255 + 0.055) / 1.055) ** 2.4)
const luminance = ([r, g, b]: Rgb) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)

/** White of this opacity on a colour, WCAG 2. */
function contrastOfWhite(hex: string, opacity = 1): number {
  const ground = parse(hex)
  const over = (channel: number) => channel + (255 - channel) * opacity
  const text: Rgb = [over(ground[0]), over(ground[1]), over(ground[2])]
  return (luminance(text) + 0.05) / (luminance(ground) + 0.05)
}

const coloursOf = (text: string): string[] => text.match(/#[\da-f]{6}/g) ?? []

const priceGradients = [...readFileSync('src/ui/tokens.scss', 'utf8').matchAll(/--price-gradient: (.*);/g)].map(
  ([, gradient = '']) => coloursOf(gradient),
)
const tiles = coloursOf(readFileSync('src/ui/GameTile/GameTile.scss', 'utf8'))

/** the most transparent white of a text on a price card */
const LEAST_OPACITY = 0.92

it('text on the price gradient has 4.5:1, light and dark', () => {
  expect(priceGradients.map((stops) => stops.length)).toEqual([3, 3])
  for (const colour of priceGradients.flat())
    expect({ colour, read: contrastOfWhite(colour, LEAST_OPACITY) >= 4.5 }).toEqual({ colour, read: true })
})

it('the picture of a game tile has 3:1 on both of its colours', () => {
  expect(tiles).toHaveLength(20)
  for (const colour of tiles) expect({ colour, seen: contrastOfWhite(colour) >= 3 }).toEqual({ colour, seen: true })
})
