/** From the texts of one screenshot to answers of the game's form; driven by the form alone. */
import type { Answers, Field, FormConfig, GradedTag, RosterRow } from '@/contract/form/types'
import { validateField } from '@/contract/form/validate'
import type { Box, OcrPage } from '../../../providers/ocr/port'
import { lexiconOf, type Meaning } from '../listings/lexicon'
import { amountFor, parseListing } from '../listings/parse-listing'
import { type Cell, cellsOf, labelsOf, meaningsOf, numberOf, type ScreenNumber } from './cells'
import { pairUp } from './pairing'

/** An answer, or one row of a list, and where it stands. */
export interface Found {
  field: Field
  answer: number | string | string[] | GradedTag | RosterRow
  score: number
  box: Box
}

/** how sure an answer is whose number may belong to another label */
const UNSURE = 0.8
/** how sure a name of the dictionary is at least */
const IN_DICTIONARY = 0.9
/** Says that an item is shown, but not owned. */
const NOT_OWNED = /未拥有|未获得|未解锁|未激活|待解锁|未收集|暂未/
/** Says whether an item is owned; all of them show on which side of their items they stand. */
const OWNERSHIP = /拥有|获得|解锁|激活|收集/
/** A rank of another season is not the current one, and the other way round. */
const HIGHEST = /最高|历史|巅峰赛/
/** Units that say what is counted; a 级 is never a number of 款. */
const COUNTED = /^[款套件把张级星枚分次位名%]$/

const isInt = ({ type }: Field) => type === 'int' || type === 'decimal'

type Item = Extract<Meaning, { kind: 'item' | 'weapon' | 'grade' | 'option' | 'root' }>

interface Screen {
  config: FormConfig
  cells: readonly Cell[]
  found: Found[]
  /** what texts say in the words of a listing */
  said: Map<string, Answers>
}

/** Adds an answer that its field accepts. */
function add({ config, found }: Screen, field: Field, answer: Found['answer'], cell: Cell, score: number): void {
  const value =
    field.type === 'tags' || field.type === 'multi' || field.type === 'tagsGrade' || field.type === 'roster'
      ? [answer]
      : answer
  if (validateField(config, field, value, 'MANUAL')) return
  found.push({ field, answer, score, box: cell.source.box })
}

/** A step of a rank, or its number of stars. */
const STEP = /[\divx一二三四五六]/i

/** An answer for one field in the words of a listing. */
function inWords({ config, said }: Screen, field: Field, text: string): string | string[] | undefined {
  const answers = said.get(text) ?? parseListing(config, text)
  said.set(text, answers)
  const answer: Answers[string] = answers[field.key]
  return typeof answer === 'string' || (Array.isArray(answer) && answer.every((item) => typeof item === 'string'))
    ? (answer as string | string[])
    : undefined
}

/** Adds the value of a label, as far as it is one of the field. */
function addValue(
  screen: Screen,
  field: Field,
  cell: Cell,
  score: number,
  number: ScreenNumber | undefined = numberOf(cell.source.text),
): void {
  if (field.type === 'select') {
    const option = inWords(screen, field, `${field.label.replace(/[（(].*$/, '')} ${number?.text ?? cell.source.text}`)
    if (option !== undefined) add(screen, field, option, cell, score)
  } else if (number && isInt(field)) {
    const isOther =
      number.unit !== '' && COUNTED.test(number.unit) && COUNTED.test(field.unit ?? '') && number.unit !== field.unit
    const amount = isOther ? undefined : amountFor(field, number)
    if (amount !== undefined) add(screen, field, amount, cell, score)
  } else if (number && field.type === 'text') add(screen, field, number.text, cell, score)
}

/** Labels with their values, and texts that contain both. */
function readLabelled(screen: Screen): Set<Cell> {
  const { config, cells } = screen
  const labels = labelsOf(config)
  const used = new Set<Cell>()
  for (const cell of cells)
    for (const { field, number } of labels.pairsIn(cell.source.text)) {
      used.add(cell)
      addValue(screen, field, cell, cell.score, number)
    }
  const rest = cells.filter((cell) => !used.has(cell))
  const isValue = (cell: Cell) =>
    numberOf(cell.source.text) !== undefined ||
    (labels.of(cell.word).length === 0 && meaningsOf(config, cell.word).some(({ kind }) => kind === 'option'))
  const values = rest.filter(isValue)
  const names = rest.filter((cell) => !isValue(cell))
  for (const { label, value, sure } of pairUp(names, values)) {
    const [name, cell] = [names[label], values[value]]
    if (!name || !cell) continue
    const fields = labels.of(name.word)
    // a value of an unknown label is no field's, but 安卓QQ says itself what it is
    if (fields.length === 0 && !numberOf(cell.source.text)) continue
    const score = Math.min(cell.score, name.score > 0.6 ? 1 : name.score) * (sure ? 1 : UNSURE)
    if (fields.length > 0) used.add(name)
    used.add(cell)
    for (const field of fields) addValue(screen, field, cell, score)
  }
  return used
}

/** Ranks and other texts that say themselves which answer they are: 荣耀王者52星, 安卓QQ, 贵族8. */
function readStatements(screen: Screen, used: ReadonlySet<Cell>): void {
  const { config, cells } = screen
  const labels = labelsOf(config)
  const fields = config.fields.filter(({ type }) => type === 'select' || type === 'cascader')
  const names = cells.filter((cell) => !numberOf(cell.source.text))
  const nameOf = (cell: Cell) => {
    const nearby = names.filter((other) => other !== cell)
    const pair = pairUp(nearby, [cell])[0]
    return pair ? nearby[pair.label] : undefined
  }
  for (const cell of cells) {
    if (labels.of(cell.word).length > 0 || cell.word.length > 14) continue
    const name = nameOf(cell)
    for (const field of fields) {
      if (screen.found.some((entry) => entry.field === field && entry.box === cell.source.box)) continue
      const isNamed = name !== undefined && labels.of(name.word).includes(field)
      const wantsHighest = HIGHEST.test(field.label)
      const saysHighest = HIGHEST.test(cell.word) || (name !== undefined && HIGHEST.test(name.word))
      if (wantsHighest !== saysHighest && !(wantsHighest && isNamed && HIGHEST.test(name.word))) continue
      if (used.has(cell) && !isNamed) continue
      const texts =
        field.type === 'cascader'
          ? [cell.source.text, ...starsBehind(screen, cell).map((stars) => `${cell.source.text} ${stars}`)]
          : [cell.source.text]
      for (const text of isNamed ? texts.flatMap((own) => [own, `${name.source.text} ${own}`]) : texts) {
        const answer = inWords(screen, field, text)
        if (answer === undefined) continue
        // a rank is written with its step, so one without it was not read whole
        const isUnsure = field.type === 'cascader' && answer.length > 1 && !STEP.test(text)
        add(screen, field, answer, cell, isUnsure ? Math.min(cell.score, UNSURE) : cell.score)
        break
      }
    }
  }
}

/** The texts that may continue another one: 貂蝉 above 猫影幻舞. */
function continuations({ cells }: Screen, cell: Cell): Cell[] {
  const height = cell.bottom - cell.top
  return cells.filter(
    (other) =>
      other !== cell &&
      other.left < cell.right + 2 * height &&
      other.right > cell.left &&
      other.top > cell.top - height / 2 &&
      other.top < cell.bottom + 1.2 * height,
  )
}

/** The texts that may be the stars of a rank. */
const starsBehind = (screen: Screen, cell: Cell): string[] =>
  continuations(screen, cell)
    .filter(({ word }) => word.length <= 5 && !word.includes('/'))
    .map(({ source }) => source.text.replace(/^[x×]/i, ''))

interface Named {
  cell: Cell
  field: Field
  v: string
  score: number
}

/** The cells that make the longest name with this one; a narrow card has it in up to three lines. */
function partsOf(screen: Screen, cell: Cell, isItem: (word: string) => boolean): Cell[] {
  const seconds = continuations(screen, cell)
  for (const second of seconds)
    for (const third of continuations(screen, second))
      if (third !== cell && isItem(cell.word + second.word + third.word)) return [second, third]
  return seconds.filter((second) => isItem(cell.word + second.word)).slice(0, 1)
}

/** Names of the dictionaries, alone or in several parts. */
function namesOn(screen: Screen): Named[] {
  const { config, cells } = screen
  const itemOf = (word: string) =>
    meaningsOf(config, word).find((meaning): meaning is Extract<Item, { kind: 'item' }> => meaning.kind === 'item')
  const parts = new Map(
    cells.map((cell) => [cell, partsOf(screen, cell, (word) => itemOf(word) !== undefined)] as const),
  )
  const later = new Set([...parts.values()].flat())
  return cells.flatMap((cell): Named[] => {
    const more = parts.get(cell) ?? []
    if (more.length === 0 && later.has(cell)) return []
    const all = [cell, ...more]
    const word = all.map((part) => part.word).join('')
    const item = itemOf(word)
    if (!item) return []
    // a series of skins, or a skin of it whose second line was not read
    const isBeginning = lexiconOf(config)
      .byFirst.get(word[0] ?? '')
      ?.some((longer) => longer.word !== word && longer.word.startsWith(word) && !longer.meanings.includes(item))
    const score = Math.min(isBeginning ? UNSURE : 1, ...all.map((part) => part.score))
    const right = Math.max(...all.map((part) => part.right))
    // what is said of an item stands below the last line of its name
    const { top, bottom } = all.at(-1) ?? cell
    const whole = { ...cell, top, bottom, right }
    // the dictionary settles single characters that were unsure
    const isSettled = score > 0.5 && !isBeginning
    return [{ cell: whole, field: item.field, v: item.v, score: isSettled ? Math.max(score, IN_DICTIONARY) : score }]
  })
}

/** The numbers of copies and refinement behind or below a name: C2, 命之座 2, 叠影1. */
function detailOf(field: Field, text: string): { dup?: number; refine?: number } | undefined {
  const words = field.roster?.words
  const folded = text.normalize('NFKC').toLowerCase()
  const digit = (names: readonly string[], suffixes: readonly string[]) => {
    const prefix = new RegExp(`(?:${names.join('|')})[:：x×]?([0-6])(?:[/层阶重]|$)`).exec(
      folded.replace(/\s/g, ''),
    )?.[1]
    const suffix = new RegExp(`(?:^|\\s)([0-6])\\s?\\D?(?:${suffixes.join('|')})`).exec(folded)?.[1]
    return prefix ?? suffix
  }
  const dup = digit(
    [words?.dup ?? '命之座', '命之座', '命座', '星魂', 'c', 'e'].map((word) => word.toLowerCase()),
    [words?.dupUnit ?? '命', '命', '魂'],
  )
  const refine = digit([words?.refine ?? '精炼', '精炼', '精', '叠影', 'r'], [words?.refineUnit ?? '精', '叠', '阶'])
  if (dup === undefined && refine === undefined) return undefined
  return { ...(dup !== undefined && { dup: Number(dup) }), ...(refine !== undefined && { refine: Number(refine) }) }
}

function readItems(screen: Screen): void {
  const { config, cells } = screen
  const names = namesOn(screen)
  const said = cells.filter(({ word }) => OWNERSHIP.test(word))
  const notOwned = new Set(
    pairUp(
      names.map(({ cell }) => cell),
      said,
    ).flatMap(({ label, value }) => (NOT_OWNED.test(said[value]?.word ?? '') ? [names[label]] : [])),
  )
  const owned = names.filter((name) => !notOwned.has(name) && !NOT_OWNED.test(name.cell.word))
  for (const field of config.fields) {
    const own = owned.filter((name) => name.field === field)
    if (own.length === 0) continue
    if (field.type === 'tags' || field.type === 'multi')
      for (const { cell, v, score } of own) add(screen, field, v, cell, score)
    if (field.type === 'tagsGrade') readGraded(screen, field, own)
    if (field.type === 'roster') readRoster(screen, field, own)
  }
}

function readGraded(screen: Screen, field: Field, own: readonly Named[]): void {
  const gradeOf = ({ word }: Cell) =>
    field.grades?.find((grade) => word === grade.toLowerCase() || word.endsWith(grade.toLowerCase()))
  const grades = screen.cells.filter((cell) => gradeOf(cell) !== undefined)
  for (const { label, value, sure } of pairUp(
    own.map(({ cell }) => cell),
    grades,
  )) {
    const [name, cell] = [own[label], grades[value]]
    const g = cell && gradeOf(cell)
    if (name && cell && g)
      add(screen, field, { v: name.v, g }, name.cell, Math.min(name.score, cell.score) * (sure ? 1 : UNSURE))
  }
}

function readRoster(screen: Screen, field: Field, own: readonly Named[]): void {
  const { config, cells } = screen
  const details = cells.filter((cell) => detailOf(field, cell.source.text) !== undefined)
  const copies = new Map<Named, { dup: number; score: number }>()
  const refined = new Map<Named, number>()
  const isOf = (part: 'dup' | 'refine') =>
    details.filter((cell) => detailOf(field, cell.source.text)?.[part] !== undefined)
  for (const part of ['dup', 'refine'] as const) {
    const values = isOf(part)
    for (const { label, value, sure } of pairUp(
      own.map(({ cell }) => cell),
      values,
    )) {
      const [name, cell] = [own[label], values[value]]
      const n = cell && detailOf(field, cell.source.text)?.[part]
      if (!name || !cell || n === undefined) continue
      if (part === 'dup') copies.set(name, { dup: n, score: cell.score * (sure ? 1 : UNSURE) })
      else refined.set(name, n)
    }
  }
  const weapons = new Set(
    cells.flatMap(({ word }) =>
      meaningsOf(config, word).flatMap((meaning) =>
        meaning.kind === 'weapon' && meaning.field === field ? [meaning.v] : [],
      ),
    ),
  )
  for (const name of own) {
    const { dup = 0, score = UNSURE } = copies.get(name) ?? {}
    const refine = refined.get(name)
    const sig = field.roster?.sig === true && weapons.has(name.v)
    add(
      screen,
      field,
      { v: name.v, dup, ...(sig && { sig, ...(refine !== undefined && { refine }) }) },
      name.cell,
      Math.min(name.score, score),
    )
  }
}

/** What a screenshot says about the account. */
export function readPage(config: FormConfig, page: OcrPage): Found[] {
  const screen: Screen = { config, cells: cellsOf(page), found: [], said: new Map() }
  const used = readLabelled(screen)
  readStatements(screen, used)
  readItems(screen)
  return screen.found
}
