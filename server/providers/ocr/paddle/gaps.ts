/**
 * Where a number is to be expected that the detector has not found: single digits stand apart and are often missed. The
 * labels of a row have their numbers at one distance, so a label without one is looked at there.
 */
import type { Region } from './regions'

/** A region with its text. */
interface ReadRegion {
  region: Region
  text: string
}

const NUMBER = /^[\d,./]{1,9}[万亿wkm%]?$/i
/** A number that was expected: short, or it would have been found. */
export const EXPECTED = /^\d{1,3}$/
/** width of the place of a number, by its height */
const PLACE = 1.6

const centre = ({ left, width }: Region) => left + width / 2
const middle = ({ top, height }: Region) => top + height / 2

const covers = ({ region: { left, top, width, height } }: ReadRegion, x: number, y: number) =>
  x > left && x < left + width && y > top && y < top + height

/** Regions in which a number is missing. */
export function gapsOf(texts: readonly ReadRegion[]): Region[] {
  const numbers = texts.filter(({ text }) => NUMBER.test(text))
  const labels = texts.filter(({ text }) => !/\d/.test(text))
  const gaps: Region[] = []
  const look = (x: number, y: number, height: number) => {
    if (texts.some((text) => covers(text, x, y)) || gaps.some((region) => covers({ region, text: '' }, x, y))) return
    const width = PLACE * height
    gaps.push({ left: x - width / 2, top: y - 0.6 * height, width, height: 1.2 * height })
  }
  for (const { region: number } of numbers)
    for (const { region: label } of labels) {
      const [dx, dy] = [centre(number) - centre(label), middle(number) - middle(label)]
      const height = number.height
      const isColumn = Math.abs(dx) < 0.6 * height && Math.abs(dy) < 2.2 * height
      const isRow = Math.abs(dy) < 0.3 * height && dx > 2 * height
      if (!isColumn && !isRow) continue
      for (const { region: other } of labels) {
        if (other === label) continue
        if (isColumn && Math.abs(middle(other) - middle(label)) < 0.3 * height)
          look(centre(other), middle(other) + dy, height)
        const hasValue = (text: ReadRegion) =>
          text.region !== other && Math.abs(middle(text.region) - middle(other)) < 0.5 * height
        if (isRow && Math.abs(other.left - label.left) < 0.5 * height && !texts.some(hasValue))
          look(number.left + number.width - height / 2, middle(other), height)
      }
    }
  return gaps
}
