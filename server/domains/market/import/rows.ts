/**
 * Streams sales files as rows, one on each line: NDJSON or CSV, any size in constant memory; invalid rows are reported and
 * skipped.
 */

import { StartError } from '../../../core/start-error'
import { fenOf, isScientific, timeOf } from './cells'
import type { Encoding } from './encoding'

/** `line` is the line of the row, from 1, with a value or the reason why it is invalid. */
export type RawRow = { line: number; value: Record<string, unknown> } | { line: number; reason: string }

export type Format = 'csv' | 'ndjson'

/** Longer rows are refused: bounds memory for a file without line ends. */
export const MAX_ROW_CHARS = 100_000

interface TextLine {
  line: number
  text: string
  tooLong: boolean
}

/**
 * The rows of a stream. @param encoding of the whole stream; undefined: none that is known, so that every row is refused
 * @throws StartError when a CSV has no usable header
 */
export async function* readRows(
  chunks: AsyncIterable<Uint8Array>,
  format: Format,
  encoding: Encoding | undefined,
): AsyncGenerator<RawRow> {
  const lines = physicalLines(chunks, encoding ?? 'utf-8')
  if (encoding === undefined) {
    for await (const { line, text } of lines) if (text.trim() !== '') yield { line, reason: NOT_READABLE }
    return
  }
  yield* format === 'ndjson' ? ndjsonRows(lines) : csvRows(lines)
}

const NOT_READABLE = '文件既不是 UTF-8，也不是 GBK 或 GB18030，请改为 UTF-8 后重发'

/** Lines end with CR, LF or both, also in one file. */
async function* physicalLines(chunks: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncGenerator<TextLine> {
  const decoder = new TextDecoder(encoding)
  let [line, held, isCut] = [0, '', false]
  const finish = (text: string): TextLine => {
    const tooLong = isCut || text.length > MAX_ROW_CHARS
    isCut = false
    line += 1
    return { line, text, tooLong }
  }
  for await (const chunk of chunks) {
    // a CR at the end may be the first half of a CR LF
    const parts = (held + decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r(?!$)/)
    held = parts.pop() ?? ''
    for (const part of parts) yield finish(part)
    isCut ||= held.length > MAX_ROW_CHARS
    if (isCut) held = held.slice(-1)
  }
  const rest = (held + decoder.decode()).replace(/\r$/, '')
  if (rest !== '' || isCut) yield finish(rest)
}

/** Why a line is no row. Bytes that are not UTF-8 were decoded to U+FFFD, which makes different ids equal. */
function refusalOf({ text, tooLong }: TextLine): string | undefined {
  if (tooLong) return `一行超过 ${MAX_ROW_CHARS} 个字符`
  return text.includes('\uFFFD') ? '含有无法识别的字符（U+FFFD），请核对文件的编码后重发' : undefined
}

async function* ndjsonRows(texts: AsyncIterable<TextLine>): AsyncGenerator<RawRow> {
  for await (const text of texts) {
    const { line } = text
    // a byte order mark is white space to be trimmed, also where files were joined
    const [reason, json] = [refusalOf(text), text.text.trim()]
    if (reason !== undefined) yield { line, reason }
    else if (json !== '') yield parseLine(line, json)
  }
}

function parseLine(line: number, json: string): RawRow {
  try {
    const value: unknown = JSON.parse(json)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { line, value: value as Record<string, unknown> }
    return { line, reason: '不是 JSON 对象' }
  } catch {
    return { line, reason: '不是有效的 JSON' }
  }
}

async function* csvRows(texts: AsyncIterable<TextLine>): AsyncGenerator<RawRow> {
  let header: readonly string[] | undefined
  for await (const { line, text, tooLong } of texts) {
    const reason = refusalOf({ line, text, tooLong })
    if (reason !== undefined) yield { line, reason }
    else if (!header) header = headerOf(text.trim())
    else if (text.trim() !== '') yield csvRow(line, text, header)
  }
  if (!header) throw new StartError('CSV 文件是空的，第一行应为列名。')
}

/** required; `listedAt` may be given too */
const COLUMNS = ['gameId', 'kind', 'priceFen', 'at', 'source', 'externalId', 'attributes'] as const

const withoutEmptyEnd = (fields: readonly string[], least: number): readonly string[] => {
  const last = fields.findLastIndex((field) => field.trim() !== '')
  return fields.slice(0, Math.max(least, last + 1))
}

function headerOf(text: string): readonly string[] {
  const names = withoutEmptyEnd(csvFields(text)?.map((name) => name.trim()) ?? [], 0)
  const missing = COLUMNS.filter((name) => !names.includes(name))
  if (missing.length > 0) throw new StartError(`CSV 第一行应为列名（UTF-8 或 GBK 编码），缺少 ${missing.join('、')}。`)
  if (new Set(names).size < names.length) throw new StartError('CSV 第一行有重复的列名。')
  return names
}

/** A row may lack empty columns at its end, or have more of them than the header. */
function csvRow(line: number, text: string, header: readonly string[]): RawRow {
  const given = csvFields(text)
  if (!given) return { line, reason: '引号没有配对，或一条记录占了几行' }
  const fields = withoutEmptyEnd(given, header.length)
  const lacking = header.slice(fields.length)
  if (fields.length > header.length || lacking.some((name) => COLUMNS.some((column) => column === name)))
    return { line, reason: `应有 ${header.length} 列，实有 ${fields.length} 列` }
  const cells = Object.fromEntries(header.map((name, i) => [name, fields[i] ?? '']))
  const { priceFen = '', at = '', listedAt = '', externalId = '', attributes = '' } = cells
  const cut = Object.entries({ at, listedAt, externalId }).find(([, cell]) => isScientific(cell))
  if (cut) {
    const lost = `${cut[0]} 被写成了科学计数（${cut[1].slice(0, 24)}），数字已丢失：请把这一列设为文本后重新导出`
    return { line, reason: lost }
  }
  const listed = listedAt.trim() === '' ? undefined : (timeOf(listedAt) ?? listedAt)
  const numbers = { priceFen: fenOf(priceFen) ?? priceFen, at: timeOf(at) ?? at, listedAt: listed }
  try {
    return { line, value: { ...cells, ...numbers, attributes: JSON.parse(attributes) as unknown } }
  } catch {
    return { line, reason: 'attributes 不是有效的 JSON' }
  }
}

/**
 * Fields of one record (RFC 4180); undefined when a quote is left open or is in the wrong place, the most common error in
 * exported files: the import continues with the next line, whereas csv-parse 7 discards everything that follows.
 */
function csvFields(text: string): string[] | undefined {
  const fields: string[] = []
  const field = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/gy
  for (;;) {
    const found = field.exec(text)
    if (!found) return undefined
    fields.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '')
    if (found[3] === '') return fields
    if (field.lastIndex === text.length) return [...fields, '']
  }
}
