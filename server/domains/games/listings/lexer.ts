/** Splits a listing into parts: form words, numbers, copies, negations, separators. One pass, no backtracking. */
import { isDivider, type Lexicon, type Meaning } from './lexicon'
import { numeralAt } from './numeral'
import { NEGATIONS } from './synonyms'

export type Token =
  | { kind: 'word'; meanings: Meaning[] }
  /** `text` as written, `n` with 万 and the like multiplied out (`times`) */
  | { kind: 'number'; n: number; times: number; text: string }
  /** number of copies of a character: 2命, 满命, C2; with refinement in `1+1` */
  | { kind: 'copies'; n: number; refine?: number }
  | { kind: 'signature' }
  | { kind: 'refine'; n: number }
  /** (6) or 六 after a rank */
  | { kind: 'step'; text: string }
  | { kind: 'not' }
  /** white space: `soft`; punctuation that ends a clause: `hard`; 、和 between items of a list: `and` */
  | { kind: 'gap'; gap: 'soft' | 'hard' | 'and' }
  /** 共、约、款 and other filler words between a label and its number */
  | { kind: 'link' }
  | { kind: 'other'; char: string }

/** Longer than any real listing; also limits the text after normalisation, which can expand characters. */
export const MAX_CHARS = 4_000
/** the maximum: 满命, 满精 */
export const MAXIMUM = Number.POSITIVE_INFINITY

const HARD = /[\n\r。，,;；!！?？|【】[\]{}<>《》)）…/\\]/
const AND = /[、和与及或]/
const LINK = /[:：=×x*~约共有是为个款张把套件枚星级数量总的已拥大概左右(+]/
/** Emoji, arrows and bullets, but not the punctuation above: they decorate the words next to them. */
const SYMBOLS = /[^\p{L}\p{N}\p{Z}\p{C}]+/uy
const READ_AS_PUNCTUATION = new RegExp([HARD, AND, LINK].map(({ source }) => source).join('|'))
const DIGITS = '零一二三四五六七八九'
const SIGNATURE = ['专属武器', '专属光锥', '专武', '专光', '带专']
/** 专武5把, 三把专武: a total, not the signature weapon of the preceding character */
const COUNT_BEFORE = /(?:[2-9]|[1-9]\d|[二两三四五六七八九十])[把张]\s*$/
const COUNT_BEHIND = /^\s*[x:*=]?\s*(?:[2-9]|[1-9]\d|[二两三四五六七八九十])[把张]/

const alnum = (char: string | undefined): boolean => char !== undefined && /[a-z0-9]/.test(char)

/** End of the word in the text from `position` on, ignoring dividers inside it; -1 when it does not match. */
function endOf(text: string, position: number, word: string): number {
  let i = position
  for (let w = 0; w < word.length; w++) {
    for (let skipped = 0; w > 0 && skipped < 2 && text[i] !== word[w] && isDivider(text[i] ?? 'x'); skipped++) i++
    if (text[i] !== word[w]) return -1
    i++
  }
  const cutLeft = alnum(word[0]) && alnum(text[position - 1])
  const cutRight = alnum(word.at(-1)) && alnum(text[i])
  return cutLeft || cutRight ? -1 : i
}

/** Whether letters or digits continue to the left; the x of `无双x2` is a separator. */
const glued = (text: string, position: number): boolean =>
  alnum(text[position - 1]) && !(text[position - 1] === 'x' && !alnum(text[position - 2]))

type Found = { part: Token; end: number } | undefined

/** In `tap未绑 邮箱已绑` there is no 未绑邮箱: a value after another field's label ends at the space. */
const isOthers = (before: Token | undefined, meanings: readonly Meaning[]): boolean =>
  before?.kind === 'word' &&
  before.meanings.some(
    (earlier) =>
      earlier.kind === 'label' &&
      !meanings.some((other) => other.kind !== 'noise' && other.field.key === earlier.field.key),
  )

/** @param before the part that ends where the word begins */
function wordAt(text: string, position: number, { byFirst }: Lexicon, before: Token | undefined): Found {
  for (const { word, meanings } of byFirst.get(text[position] ?? '') ?? []) {
    const end = endOf(text, position, word)
    if (end > 0 && !(/\s/.test(text.slice(position, end)) && isOthers(before, meanings)))
      return { part: { kind: 'word', meanings }, end }
  }
  return undefined
}

/** 三、十二、二十: up to 99; undefined when it is not a number. */
function chineseNumber(text: string): number | undefined {
  const digit = (char: string | undefined) => (char === '两' ? 2 : DIGITS.indexOf(char ?? ' '))
  const [tens, units] = text.includes('十') ? text.split('十') : [undefined, text]
  if (tens === undefined) return text.length === 1 && digit(units) >= 0 ? digit(units) : undefined
  const high = tens === '' ? 1 : digit(tens)
  const low = units === '' ? 0 : digit(units)
  return high < 0 || low < 0 || tens.length > 1 || (units?.length ?? 0) > 1 ? undefined : high * 10 + low
}

const matchAt = (pattern: RegExp, text: string, position: number): RegExpExecArray | null => {
  pattern.lastIndex = position
  return pattern.exec(text)
}

const COPIES = /(\d|[零一二两三四五六满])(?:命座|命|星魂|魂|链)|[ce]([0-6])(?![a-z0-9])|([0-6])\+([0-5])(?!\d)/y
const REFINE = /(?:精炼|精|叠影)([1-5一二三四五满])|([1-5一二三四五满])(?:精炼|精|叠影|叠)/y
const COUNTED = /([一二两三四五六七八九十]{1,3})(?=[个款张把套件枚级])/y
const STEP = /(?:iv|i{1,3}|v)(?![a-z])|[一二三四五]/y

const amount = (text: string | undefined): number =>
  text === '满' ? MAXIMUM : /\d/.test(text ?? '') ? Number(text) : (chineseNumber(text ?? '') ?? 0)

function rosterAt(text: string, position: number): Found {
  const copies = glued(text, position) ? null : matchAt(COPIES, text, position)
  if (copies) {
    const [whole, counted, short, plus, refine] = copies
    const n = amount(counted ?? short ?? plus)
    return {
      part: { kind: 'copies', n, ...(refine !== undefined && { refine: Number(refine) }) },
      end: position + whole.length,
    }
  }
  const refine = matchAt(REFINE, text, position)
  if (refine) return { part: { kind: 'refine', n: amount(refine[1] ?? refine[2]) }, end: position + refine[0].length }
  return undefined
}

function signatureAt(text: string, position: number): Found {
  const signature = SIGNATURE.find((word) => text.startsWith(word, position))
  if (!signature) return undefined
  const end = position + signature.length
  const counted =
    COUNT_BEFORE.test(text.slice(Math.max(0, position - 6), position)) || COUNT_BEHIND.test(text.slice(end, end + 8))
  return counted ? undefined : { part: { kind: 'signature' }, end }
}

function numberAt(text: string, position: number): Found {
  const counted = matchAt(COUNTED, text, position)
  const written = counted ? chineseNumber(counted[1] ?? '') : undefined
  if (counted && written !== undefined)
    return { part: { kind: 'number', n: written, times: 1, text: String(written) }, end: position + counted[0].length }
  const numeral = glued(text, position) ? undefined : numeralAt(text, position)
  if (!numeral) return undefined
  const { value, end } = numeral
  if (!value) return { part: { kind: 'other', char: text.slice(position, end) }, end }
  const plain = value.times === 1 ? text.slice(position, end).replaceAll(',', '') : String(value.n)
  return { part: { kind: 'number', ...value, text: plain }, end }
}

/**
 * Symbols are like white space between a label and its number (皮肤👉260) or behind a negation; elsewhere they separate
 * the items of a list.
 */
function symbolsAt(text: string, position: number, parts: readonly Token[]): Found {
  if (READ_AS_PUNCTUATION.test(text[position] ?? '')) return undefined
  const run = matchAt(SYMBOLS, text, position)?.[0]
  if (run === undefined) return undefined
  const stop = run.search(READ_AS_PUNCTUATION)
  const end = position + (stop < 0 ? run.length : stop)
  const before = parts.findLast((part) => part.kind !== 'link' && !(part.kind === 'gap' && part.gap === 'soft'))?.kind
  const isJoint = before === 'not' || (before === 'word' && /^\s*\d/.test(text.slice(end, end + 8)))
  return { part: { kind: 'gap', gap: isJoint ? 'soft' : 'hard' }, end }
}

function otherAt(text: string, position: number, parts: readonly Token[]): { part: Token; end: number } {
  const not = NEGATIONS.find((word) => text.startsWith(word, position))
  if (not) return { part: { kind: 'not' }, end: position + not.length }
  const step = glued(text, position) ? null : matchAt(STEP, text, position)
  if (step) return { part: { kind: 'step', text: step[0] }, end: position + step[0].length }
  const char = String.fromCodePoint(text.codePointAt(position) ?? 0)
  const end = position + char.length
  if (AND.test(char)) return { part: { kind: 'gap', gap: 'and' }, end }
  if (HARD.test(char)) return { part: { kind: 'gap', gap: 'hard' }, end }
  if (char.trim() === '' || isDivider(char)) return { part: { kind: 'gap', gap: 'soft' }, end }
  if (LINK.test(char) && !(char === 'x' && alnum(text[position - 1]))) return { part: { kind: 'link' }, end }
  return symbolsAt(text, position, parts) ?? { part: { kind: 'other', char }, end }
}

/** @param text normalised by `fold`; text beyond `MAX_CHARS` is ignored */
export function tokenize(text: string, lexicon: Lexicon): Token[] {
  const bounded = text.slice(0, MAX_CHARS)
  const parts: Token[] = []
  for (let position = 0; position < bounded.length; ) {
    const { part, end } =
      (lexicon.hasRoster ? signatureAt(bounded, position) : undefined) ??
      wordAt(bounded, position, lexicon, parts.at(-1)) ??
      (lexicon.hasRoster ? rosterAt(bounded, position) : undefined) ??
      numberAt(bounded, position) ??
      otherAt(bounded, position, parts)
    parts.push(part)
    position = end
  }
  return parts
}
