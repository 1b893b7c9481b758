/** Merges what several screenshots say, and decides what is asked instead of filled in. */
import { isDeepStrictEqual } from 'node:util'
import type { Answers, Field, FormConfig, GradedTag, RosterRow } from '@/contract/form/types'
import { validateField } from '@/contract/form/validate'
import type { ReadAnswers } from '@/contract/types'
import type { StoredPage } from '../../../db/columns'
import type { Box, OcrPage } from '../../../providers/ocr/port'
import { withoutSeparators } from '../listings/lexicon'
import { type Found, readPage } from './read-page'

/** Answers that are less sure are asked. */
const SURE = 0.9

interface Read extends Found {
  key: string
}

const isList = ({ type }: Field) => ['tags', 'multi', 'tagsGrade', 'roster'].includes(type)

const idOf = (answer: Found['answer']): string =>
  typeof answer === 'object' && 'v' in answer ? answer.v : JSON.stringify(answer)

/** Of several sightings of a row the most telling one: scrolled lists overlap. */
function rowsOf(field: Field, reads: readonly Read[]): Read[] {
  const best = new Map<string, Read>()
  for (const read of reads) {
    const id = idOf(read.answer)
    const before = best.get(id)
    if (!before || weightOf(read) > weightOf(before)) best.set(id, read)
  }
  return [...best.values()].slice(0, field.rules.maxItems)
}

/** A row whose number of copies was seen tells more than one of which only the name was. */
const weightOf = ({ score, answer }: Read): number =>
  score + (typeof answer === 'object' && 'dup' in answer && answer.sig ? 1 : 0)

/** A box of the upright page on the picture as it is. */
function onPicture([x, y, w, h]: Box, { width, height, angle }: OcrPage): [number, number, number, number] {
  if (angle === 0) return [x, y, w, h]
  const u = (x + w / 2 - 0.5) * width
  const v = (y + h / 2 - 0.5) * height
  const cx = 0.5 + (u * Math.cos(angle) - v * Math.sin(angle)) / width
  const cy = 0.5 + (u * Math.sin(angle) + v * Math.cos(angle)) / height
  return [cx - w / 2, cy - h / 2, w, h]
}

const rounded = (box: readonly number[]) => box.map((n) => Math.round(Math.min(1, Math.max(0, n)) * 10_000) / 10_000)

/** The answers on some screenshots of one account. */
export function readAnswers(config: FormConfig, pages: readonly StoredPage[]): ReadAnswers {
  const reads = pages.flatMap(({ key, page }): Read[] =>
    page ? readPage(config, page).map((found) => ({ ...found, key })) : [],
  )
  const pageOf = new Map(pages.map(({ key, page }) => [key, page]))
  const answers: Answers = {}
  const sources: ReadAnswers['sources'] = []
  const ask: string[] = []
  const note = (field: Field, { key, box, score }: Read) => {
    const page = pageOf.get(key)
    if (page)
      sources.push({
        field: field.key,
        key,
        box: rounded(onPicture(box, page)),
        score: Math.round(score * 1000) / 1000,
      })
  }
  for (const field of config.fields) {
    const own = reads.filter((read) => read.field === field)
    if (isList(field)) {
      const rows = rowsOf(field, own)
      if (rows.length === 0) continue
      const answer = rows.map((row) => row.answer)
      answers[field.key] =
        field.type === 'roster'
          ? (answer as RosterRow[])
          : field.type === 'tagsGrade'
            ? (answer as GradedTag[])
            : (answer as string[])
      for (const row of rows) note(field, row)
      if (rows.some(({ score }) => score < SURE)) ask.push(field.key)
      continue
    }
    const [best, ...others] = own.sort((a, b) => b.score - a.score)
    if (!best || (typeof best.answer === 'object' && 'v' in best.answer)) continue
    answers[field.key] = best.answer
    note(field, best)
    if (best.score < SURE || others.some(({ answer }) => !isDeepStrictEqual(answer, best.answer))) ask.push(field.key)
  }
  for (const field of config.fields)
    if (answers[field.key] !== undefined && validateField(config, field, answers[field.key], 'MANUAL'))
      delete answers[field.key]
  return { answers, sources, ask }
}

/** A page shows another game where that game's form finds this many times the facts. */
const OTHER_GAME = 2

/** The answers of all pictures and what their owner should know; none where they show another game. */
export function readAll(config: FormConfig, games: readonly FormConfig[], pages: readonly StoredPage[]): ReadAnswers {
  const readable = pages.flatMap(({ page }) => page ?? [])
  const facts = (game: FormConfig) => readable.reduce((sum, page) => sum + readPage(game, page).length, 0)
  const saysName = (game: FormConfig) =>
    readable.some(({ texts }) =>
      texts.some(({ text }) => withoutSeparators(text).includes(withoutSeparators(game.name))),
    )
  const own = facts(config)
  const other = games
    .filter(({ gameId }) => gameId !== config.gameId)
    .map((game) => ({ name: game.name, n: facts(game) + (saysName(game) ? 3 : 0) }))
    .reduce((a, b) => (b.n > a.n ? b : a), { name: '', n: 0 })
  if (other.n >= 3 && other.n > OTHER_GAME * own)
    return { answers: {}, sources: [], ask: [], note: `像是${other.name}，要切换吗` }
  const read = readAnswers(config, pages)
  const unreadable = pages.length - readable.length
  const note =
    readable.length === 0
      ? '图片不清楚，请换清晰的截图'
      : own === 0
        ? `没有认出${config.name}的资料`
        : unreadable > 0
          ? `有 ${unreadable} 张图片不清楚，其余已识别`
          : undefined
  return { ...read, ...(note && { note }) }
}
