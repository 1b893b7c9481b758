/**
 * The public price tables of bench/public as forms and sales, to measure the engine on real data besides synthetic
 * markets.
 */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Answers, Field, FieldRole, FormConfig } from '@/contract/form/types'
import { StartError } from '../core/start-error'
import { DAY, type Random, randomOf } from '../engine/numbers'
import type { Sale } from '../engine/types'

export const FOLDER = path.join(__dirname, '../../bench/public')

export interface PublicTable {
  id: string
  /**
   * Constants may only be tuned on `development` tables; the others are only reported. `unseen` ones were obtained after
   * the engine was finished.
   */
  use: 'development' | 'report' | 'unseen'
  package: string
  licence: string
  table: string
  price: string
  /** column that grows with time; its span counts as a year */
  time?: string
  /** column → role, then `bool` or the options from worst to best, where it is not a number */
  fields: Record<string, string>
}

export const publicTables = (): PublicTable[] => JSON.parse(readFileSync(path.join(FOLDER, 'tables.json'), 'utf8'))

/** fixed, so that results are reproducible */
export const SALES_UNTIL = Date.UTC(2026, 10, 20)
/** most tables have no dates; invented ones would only simulate a market trend */
const SOLD_AT = SALES_UNTIL - DAY
const YEAR = 365 * DAY
const YES = ['yes', 'Y', '1', 'TRUE']

/** Rows as objects. Quoting as in R: double quotes around strings, doubled inside. */
function readCsv(file: string): Record<string, string>[] {
  if (!existsSync(file)) throw new StartError(`没有 ${file}：先按 bench/public/README.md 取得公开数据。`)
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const cells = (line: string) =>
    (line.match(/("([^"]|"")*"|[^,]*)(,|$)/g) ?? []).map((cell) =>
      cell.replace(/,$/, '').replace(/^"|"$/g, '').replaceAll('""', '"'),
    )
  const names = cells(lines[0] ?? '')
  return lines.slice(1).map((line) => {
    const own = cells(line)
    return Object.fromEntries(names.map((name, i) => [name, own[i] ?? '']))
  })
}

function fieldOf(key: string, spec: string, rows: readonly Record<string, string>[], sort: number): Field {
  const [role, ...rest] = spec.split(' ')
  const more = rest.join(' ')
  const values = [...new Set(rows.map((row) => row[key] ?? '').filter((value) => value !== ''))].sort()
  const numbers = values.every((value) => Number.isFinite(Number(value)))
  const type = more === 'bool' ? 'bool' : more === '' && numbers ? 'decimal' : 'select'
  const options = (more === '' ? values : more.split('|')).map((v) => ({ v, t: v }))
  return {
    ...{ key, label: key, group: 'base', type, role: role as FieldRole, required: true, sort },
    // fields have no limits: those of all rows would tell the formula about the tested ones
    rules: {},
    ...(type === 'select' && { options }),
  }
}

const answerOf = (type: Field['type'], cell: string) =>
  cell === '' ? undefined : type === 'decimal' ? Number(cell) : type === 'bool' ? YES.includes(cell) : cell

export function loadTable(table: PublicTable): { config: FormConfig; sales: Sale[] } {
  const rows = readCsv(path.join(FOLDER, 'tables', `${table.id}.csv`))
  const fields = Object.entries(table.fields).map(([key, spec], i) => fieldOf(key, spec, rows, i))
  const config: FormConfig = {
    ...{ gameId: table.id, name: table.id, schemaVersion: 1, status: 'ONLINE', aiMode: 'MANUAL_FORM', modes: ['AI'] },
    ...{ estSeconds: 10, readList: [], groups: [{ key: 'base', title: 'base' }], fields, dicts: {} },
  }
  // prices in thousands have too few digits for whole fen
  const unit = Math.max(...rows.map((row) => Number(row[table.price]))) < 1_000 ? 100_000 : 100
  const times = rows.map((row) => (table.time ? Number(row[table.time]) : 0))
  const [first, last] = [Math.min(...times), Math.max(...times)]
  const sales = rows.map((row, i): Sale => {
    const attributes: Answers = Object.fromEntries(
      fields.map(({ key, type }) => [key, answerOf(type, row[key] ?? '')] as const),
    )
    const priceFen = Math.round(Number(row[table.price]) * unit)
    const at = SOLD_AT - (first < last ? (YEAR * (last - (times[i] ?? 0))) / (last - first) : 0)
    return { id: `${table.id}${i}`, gameId: table.id, kind: 'SOLD', priceFen, at, attributes }
  })
  return { config, sales: sales.filter(({ priceFen }) => priceFen > 0) }
}

/** A shuffled order of the rows: the first ones are for training, the rest for testing. */
export function splitOf(count: number, seed: number): number[] {
  const random: Random = randomOf(1_000 + seed)
  const order = Array.from({ length: count }, (_, i) => i)
  for (let k = count - 1; k > 0; k--) {
    const other = Math.floor(random() * (k + 1))
    const own = order[k] ?? 0
    order[k] = order[other] ?? 0
    order[other] = own
  }
  return order
}
