/** Vocabulary of one game's form in listings: labels, aliases, options, dictionary names. */
import { cleanText } from '@/contract/cleanText'
import { optionsOf } from '@/contract/form/answers'
import type { Field, FormConfig, Option } from '@/contract/form/types'
import { NEGATIONS, SYNONYMS } from './synonyms'

/** Possible meanings of a word. `root` is the first level of a cascader. */
export type Meaning =
  | { kind: 'label'; field: Field }
  | { kind: 'option'; field: Field; v: string; needsLabel: boolean }
  | { kind: 'root'; field: Field; option: Option }
  | { kind: 'item'; field: Field; v: string; short: boolean }
  | { kind: 'weapon'; field: Field; v: string }
  | { kind: 'grade'; field: Field; g: string }
  | { kind: 'noise' }

export interface Lexicon {
  /** words by their first character, longest first */
  byFirst: Map<string, { word: string; meanings: Meaning[] }[]>
  hasRoster: boolean
}

const DIVIDERS = /[\s·•・.\-—_'’":“”「」《》&]/g
/**
 * Normalises width and case: `Ⅲ` becomes `iii`, `Ｖ８` becomes `v8`. Keycaps and other combining marks are dropped. A
 * full-width comma separates clauses, not digits.
 */
export const foldCase = (text: string): string =>
  cleanText(text.replaceAll('，', '。')).replace(/\p{M}/gu, '').toLowerCase().replaceAll('×', 'x')
/** Also removes dividers, which are often omitted inside names. */
export const withoutSeparators = (text: string): string => foldCase(text).replace(DIVIDERS, '')
export const isDivider = (char: string): boolean => char.search(DIVIDERS) === 0

const HAN = /\p{Script=Han}/u
const hanOf = (word: string): number => Array.from(word).filter((char) => HAN.test(char)).length
/** Whether a word is long enough not to match by chance. */
const isDistinctive = (word: string): boolean => hanOf(word) >= 2 || (/[a-z]/.test(word) && word.length >= 4)

/** The option's name and its Chinese nicknames; pinyin would match by chance. */
function namesOf(option: Option): string[] {
  const nicknames = (option.k ?? '').split(' ').filter((word) => HAN.test(word))
  return [option.t, ...nicknames].map(withoutSeparators).filter((word) => word !== '' && !NEGATIONS.includes(word))
}

/** Words that name a field, without separators. */
export function labelWords(field: Field): string[] {
  const bare = field.label.replace(/[（(].*$/, '')
  const names = [field.label, bare, ...(field.alias ?? []), ...(SYNONYMS[field.key]?.label ?? [])]
    .map(withoutSeparators)
    .filter((word) => word !== '')
  const more = names.flatMap((word) => (word.includes('皮肤') ? [`${word}数`] : [`${word}皮肤`, `${word}数`]))
  return [...new Set([...names, ...more])]
}

/** The last part of `角色·皮肤` is also a word where it is unambiguous. */
export function itemWords(options: readonly Option[]): Map<Option, string[]> {
  const lastPart = (option: Option) => withoutSeparators(option.t.split('·').at(-1) ?? '')
  const times = new Map<string, number>()
  for (const option of options) times.set(lastPart(option), (times.get(lastPart(option)) ?? 0) + 1)
  return new Map(
    options.map((option) => {
      const last = lastPart(option)
      return [option, [...namesOf(option), ...(times.get(last) === 1 && isDistinctive(last) ? [last] : [])]]
    }),
  )
}

/** Short options (黄金, 微信) need their label; V8, 官服, 女号 and options contained in the label do not. */
const standsAlone = (word: string, field: Field): boolean =>
  Array.from(word).length >= 3 ||
  /^v\d|^[安苹][qv微]$|[服号]$/.test(word) ||
  withoutSeparators(field.label).includes(word)

function* meaningsOf(config: FormConfig, field: Field): Generator<[string, Meaning]> {
  for (const word of labelWords(field)) yield [word, { kind: 'label', field }]
  const options = optionsOf(config, field)
  if (field.type === 'select')
    for (const option of options)
      for (const word of [...namesOf(option), ...(SYNONYMS[field.key]?.options?.[option.v] ?? [])])
        yield [word, { kind: 'option', field, v: option.v, needsLabel: !standsAlone(word, field) }]
  if (field.type === 'cascader')
    for (const option of options) for (const word of namesOf(option)) yield [word, { kind: 'root', field, option }]
  if (['tags', 'multi', 'tagsGrade', 'roster'].includes(field.type))
    for (const [option, words] of itemWords(options))
      for (const word of words) yield [word, { kind: 'item', field, v: option.v, short: Array.from(word).length < 2 }]
  if (field.roster?.sig)
    for (const { v, sig } of options)
      if (sig && isDistinctive(withoutSeparators(sig))) yield [withoutSeparators(sig), { kind: 'weapon', field, v }]
  for (const g of field.grades ?? []) yield [withoutSeparators(g), { kind: 'grade', field, g }]
}

/** Fields that can be read from a listing or a screenshot: not pictures or remarks. */
export const isReadable = (field: Field): boolean => !['evidence', 'none'].includes(field.role)

const lexicons = new WeakMap<FormConfig, Lexicon>()

/** The vocabulary of a form, made once for each. */
export function lexiconOf(config: FormConfig): Lexicon {
  const lexicon = lexicons.get(config) ?? makeLexicon(config)
  lexicons.set(config, lexicon)
  return lexicon
}

function makeLexicon(config: FormConfig): Lexicon {
  const words = new Map<string, Meaning[]>([[withoutSeparators(config.name), [{ kind: 'noise' }]]])
  for (const field of config.fields.filter(isReadable))
    for (const [word, meaning] of meaningsOf(config, field)) {
      const existing = words.get(word)
      if (!existing) words.set(word, [meaning])
      else if (!existing.some((other) => other.kind === meaning.kind && 'field' in other && other.field === field))
        existing.push(meaning)
    }
  const byFirst: Lexicon['byFirst'] = new Map()
  for (const [word, meanings] of [...words].sort(([a], [b]) => b.length - a.length)) {
    const first = word[0] ?? ''
    const existing = byFirst.get(first)
    if (existing) existing.push({ word, meanings })
    else byFirst.set(first, [{ word, meanings }])
  }
  return { byFirst, hasRoster: config.fields.some((field) => field.type === 'roster') }
}
