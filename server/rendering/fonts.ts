/** Text layout: which font has each character, text widths, line breaks. Sizes in units of the page. */
import path from 'node:path'
import { type Font, openSync } from 'fontkit'
import { LRUCache } from 'lru-cache'

const folder = path.join(__dirname, 'fonts')

/** Names and files of the fonts that ship with the server (`fonts/README.md`). */
export const fontFiles = {
  regular: path.join(folder, 'sans-regular.ttf'),
  bold: path.join(folder, 'sans-bold.ttf'),
  /** has the characters missing in the two usual fonts; four times their size, so it is loaded only when needed */
  rare: path.join(folder, 'sans-rare.ttf'),
} as const
export type FontName = keyof typeof fontFiles
export type Weight = 'regular' | 'bold'

/** A run of text in one font. */
export interface Run {
  face: FontName
  text: string
}

/** Replaces an emoji, and a character that no font has; masked names use the same sign. */
const SUBSTITUTE = '*'
/** maximum of cached outlines, about 1 kB each */
const MAX_CACHED_GLYPHS = 8000
/** maximum of combining marks on a letter; more would cover neighbouring lines */
const MAX_MARKS = 4

const opened = new Map<FontName, Font>()
function fontOf(face: FontName): Font {
  const font = opened.get(face) ?? (openSync(fontFiles[face]) as Font)
  opened.set(face, font)
  return font
}

const clusters = new Intl.Segmenter('zh', { granularity: 'grapheme' })
const pointOf = (char: string): number => char.codePointAt(0) ?? 0
const has = (face: FontName, text: string) =>
  Array.from(text).every((char) => fontOf(face).hasGlyphForCodePoint(pointOf(char)))

/**
 * Invisible characters (controls, direction changes, joiners), and variation selectors, which devices render
 * differently.
 */
const invisible = /\p{Cc}|\p{Cf}|\p{Co}|\p{Cn}|\p{Cs}|\uFE0E|\uFE0F/gu

function runOf(cluster: string, weight: Weight): Run | undefined {
  const plain = Array.from(cluster.replace(invisible, ''))
  if (plain.length === 0) return /\s/.test(cluster) ? { face: weight, text: ' ' } : undefined
  const text = plain.length > MAX_MARKS ? (plain[0] ?? '') : plain.join('')
  if (has(weight, text)) return { face: weight, text }
  return has('rare', text) ? { face: 'rare', text } : { face: weight, text: SUBSTITUTE }
}

/**
 * Splits a text into runs of fonts that have all its characters, so that no empty boxes appear. Spaces around the
 * separator dot are dropped: the dot is as wide as a character here.
 */
export function runs(text: string, weight: Weight = 'regular'): Run[] {
  const found: Run[] = []
  for (const { segment } of clusters.segment(text.normalize('NFC').replaceAll(' · ', '·'))) {
    const run = runOf(segment, weight)
    const last = found[found.length - 1]
    if (run && last?.face === run.face) last.text += run.text
    else if (run) found.push({ ...run })
  }
  return found
}

/** A glyph in units of its font. */
interface Glyph {
  /** outline as SVG path data, y upwards */
  d: string
  /** ems */
  width: number
}

const glyphCache = new LRUCache<string, Glyph>({ max: MAX_CACHED_GLYPHS })

function glyphOf(face: FontName, char: string): Glyph {
  const cached = glyphCache.get(face + char)
  if (cached) return cached
  const font = fontOf(face)
  const glyph = font.glyphForCodePoint(pointOf(char))
  const made = { d: glyph.path.toSVG(), width: glyph.advanceWidth / font.unitsPerEm }
  glyphCache.set(face + char, made)
  return made
}

const drawn = ({ face, text }: Run): Glyph[] => Array.from(text, (char) => glyphOf(face, char))

const runWidth = (run: Run): number => drawn(run).reduce((sum, { width }) => sum + width, 0)

/** Glyph outlines of a text from the start of its baseline; `size` is the em height. */
export function glyphOutlines(text: string, size: number, weight: Weight): { d: string; x: number; scale: number }[] {
  let x = 0
  return runs(text, weight).flatMap((run) => {
    const scale = size / fontOf(run.face).unitsPerEm
    return drawn(run).map(({ d, width }) => {
      const glyph = { d, x, scale }
      x += width * size
      return glyph
    })
  })
}

/** Width of a text at a size. */
export const widthOf = (text: string, size: number, weight: Weight = 'regular'): number =>
  size * runs(text, weight).reduce((sum, run) => sum + runWidth(run), 0)

interface Box {
  size: number
  width: number
  weight?: Weight
  /** maximum of lines; text that does not fit ends in `…` */
  lines?: number
}

/** Closing punctuation, which hangs over the end of a line instead of starting the next one. */
const closing = /^[，。、；：！？）》」』”’,.!?;:)\]%…]+$/

/**
 * Splits where lines may break: words, amounts with their sign, ranges of amounts and quotations of a few characters stay
 * whole, everything else may break anywhere.
 */
function pieces(text: string): string[] {
  const words =
    text.match(/¥[\d,.]+ – ¥[\d,.]+|“[^”\s]{1,6}”|[A-Za-z0-9¥.,%+−–-]{1,24}|\s+|[^A-Za-z0-9¥.,%+−–\-\s“]+|“/gu) ?? []
  return words.flatMap((w) =>
    /^(?:[A-Za-z0-9¥\s“]|[+−–-][¥\d])/.test(w) ? [w] : Array.from(clusters.segment(w), (s) => s.segment),
  )
}

/** A text broken into lines. */
export function wrap(
  text: string,
  { size, width, weight = 'regular', lines = Number.POSITIVE_INFINITY }: Box,
): string[] {
  const done: string[] = []
  let line = ''
  let room = width
  for (const piece of pieces(text.replace(/\s+/g, ' ').trim())) {
    const wide = widthOf(piece, size, weight)
    if (wide > room && line !== '' && !closing.test(piece)) {
      done.push(line)
      line = ''
      room = width
    }
    if (line === '' && piece === ' ') continue
    line += piece
    room -= wide
  }
  if (line !== '') done.push(line)
  if (done.length <= lines) return done
  return [...done.slice(0, lines - 1), shorten(`${done[lines - 1]}…`, { size, width, weight })]
}

/** A single line, shortened with `…` if it does not fit. */
export function shorten(text: string, { size, width, weight = 'regular' }: Box): string {
  if (widthOf(text, size, weight) <= width) return text
  const all = Array.from(clusters.segment(text.replace(/…$/u, '')), (s) => s.segment)
  while (all.length > 0 && widthOf(`${all.join('')}…`, size, weight) > width) all.pop()
  return `${all.join('')}…`
}
