/** What the texts on a screen are, by the vocabulary of the game's form: labels, numbers, options, items. */
import type { Field, FormConfig } from '@/contract/form/types'
import type { OcrPage, OcrText } from '../../../providers/ocr/port'
import { foldCase, isReadable, labelWords, lexiconOf, type Meaning, withoutSeparators } from '../listings/lexicon'
import { numeralAt } from '../listings/numeral'

/** px */
export interface Rect {
  left: number
  right: number
  top: number
  bottom: number
}

/** A text on the screen. */
export interface Cell extends Rect {
  source: OcrText
  /** folded, without separators */
  word: string
  /** how sure the characters are */
  score: number
}

/** A number as a screen shows it: `108/126` is 108, `Lv.60` has the unit 级. */
export interface ScreenNumber {
  n: number
  times: number
  text: string
  unit: string
}

const OCR_WIDTHS: Readonly<Record<string, string>> = { '，': ',', '／': '/', '：': ':', '（': '(', '）': ')' }

/** Width and case folded; a comma of any width stays one, since it groups digits. */
const foldText = (text: string): string => foldCase(text.replace(/[，／：（）]/g, (char) => OCR_WIDTHS[char] ?? char))

/** The texts of a page in px. Numbers side by side that were taken for one text are several cells. */
export const cellsOf = ({ texts, width, height }: OcrPage): Cell[] =>
  texts.flatMap((source) => {
    const [x, y, w, h] = source.box
    const words = source.text.split(/\s+/)
    const parts = words.length > 1 && words.every((word) => numberOf(word)) ? words : [source.text]
    let offset = 0
    return parts.map((text): Cell => {
      const from = source.text.indexOf(text, offset)
      offset = from + text.length
      const share = w / source.text.length
      const box = [x + from * share, y, text.length * share, h] as const
      const rect = { left: box[0] * width, right: (box[0] + box[2]) * width, top: y * height, bottom: (y + h) * height }
      return { ...rect, source: { ...source, text, box }, word: withoutSeparators(foldText(text)), score: source.score }
    })
  })

const UNIT = '(?:[个款套件把张级星枚分次元点位名]|%)?'
const NUMBER = new RegExp(
  String.raw`^(?:x|\+|lv|等级)?\s?(\d[\d,.]*(?:\s?[万亿wkm])?)(?:\s?\/\s?\d[\d,.]*)?\s?(${UNIT})$`,
)

/** The number that is the whole text. */
export function numberOf(text: string): ScreenNumber | undefined {
  const folded = foldText(text)
    .replace(/^lv[.:\s]*/, 'lv')
    .replace(/^o$/, '0')
    .trim()
  const [, digits, unit = ''] = NUMBER.exec(folded) ?? []
  if (digits === undefined) return undefined
  const numeral = numeralAt(digits, 0)
  if (!numeral?.value || numeral.end !== digits.length) return undefined
  const plain = numeral.value.times === 1 ? digits.replaceAll(',', '').trim() : String(numeral.value.n)
  return { ...numeral.value, text: plain, unit: folded.startsWith('lv') ? '级' : unit }
}

const AFFIXES = [/^(?:我的|已拥有|拥有|已获得|获得|当前|账号|全部|总)/, /(?:数量|总数|总计|数)$/]

/** Names of fields, and how they are found on screens. */
interface Labels {
  /** Fields that a text names. */
  of(word: string): readonly Field[]
  /** A text that consists of nothing but labels with their numbers: `英雄108/126`. */
  pairsIn(text: string): { field: Field; number: ScreenNumber }[]
}

const labelsByConfig = new WeakMap<FormConfig, Labels>()

/** The labels of a form, made once for each. */
export function labelsOf(config: FormConfig): Labels {
  const labels = labelsByConfig.get(config) ?? makeLabels(config)
  labelsByConfig.set(config, labels)
  return labels
}

function makeLabels(config: FormConfig): Labels {
  const words = new Map<string, Field[]>()
  for (const field of config.fields.filter(isReadable))
    for (const word of labelWords(field)) words.set(word, [...(words.get(word) ?? []), field])
  const bare = (text: string) => text.replace(/[:：]+$/, '')
  const of = (given: string): readonly Field[] => {
    const word = bare(given)
    const exact = words.get(word)
    if (exact) return exact
    for (const affix of AFFIXES) {
      const shorter = word.replace(affix, '')
      const fields =
        shorter === word
          ? undefined
          : (words.get(shorter) ?? AFFIXES.map((a) => words.get(shorter.replace(a, ''))).find(Boolean))
      if (fields) return fields
    }
    return []
  }
  return {
    of,
    pairsIn(text) {
      const parts = foldText(text).split(/(\d[\d,.]*\s?[万亿wkm]?(?:\s?\/\s?\d[\d,.]*)?\s?[个款套件把张级星枚分元]?)/)
      const pairs: { field: Field; number: ScreenNumber }[] = []
      for (let i = 0; i + 1 < parts.length; i += 2) {
        const [field, more] = of(withoutSeparators(parts[i] ?? ''))
        const number = numberOf(parts[i + 1] ?? '')
        if (!field || more || !number) return []
        pairs.push({ field, number })
      }
      return withoutSeparators(parts.at(-1) ?? '') === '' ? pairs : []
    },
  }
}

/** Whether one character has to be replaced, left out or put in to make one word of the other. */
export function differsByOne(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a === b) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  const [restA, restB] = [a.slice(start), b.slice(start)]
  if (a.length === b.length) return restA.slice(1) === restB.slice(1)
  return a.length > b.length ? restA.slice(1) === restB : restA === restB.slice(1)
}

/** A word with repeated characters once. */
const withoutDoubles = (word: string): string => word.replace(/(.)\1+/gu, '$1')

/** Length from which a name with one wrong character is still that name. */
const FUZZY_LENGTH = 5

/** Meanings of a whole text in the form: options, items, grades. One wrong character of a long name is tolerated. */
export function meaningsOf(config: FormConfig, word: string): readonly Meaning[] {
  const { byFirst } = lexiconOf(config)
  const exact = byFirst.get(word[0] ?? '')?.find((entry) => entry.word === word)
  if (exact) return exact.meanings
  // the recogniser reads 七七 as one character
  const doubled = byFirst
    .get(word[0] ?? '')
    ?.find((entry) => entry.word.length > word.length && withoutDoubles(entry.word) === word)
  if (doubled) return doubled.meanings
  if (Array.from(word).length < FUZZY_LENGTH) return []
  const all = [...byFirst.values()].flatMap((entries) => entries.filter((entry) => differsByOne(entry.word, word)))
  // characters are lost more often than invented: 掠夺印象刀 is not 掠夺印象
  const longer = all.filter((entry) => entry.word.length > word.length)
  const near = longer.length > 0 ? longer : all
  // full name and last part of one item are both near it
  const things = new Set(
    near.flatMap(({ meanings }) => meanings.map((meaning) => ('v' in meaning ? meaning.v : meaning))),
  )
  return things.size === 1 ? (near[0]?.meanings ?? []) : []
}
