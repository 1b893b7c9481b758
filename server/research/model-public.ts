/**
 * `npm run model:public [-- --splits=20 --table=ID --n=300]`: the engine on public price tables it was not designed
 * for, compared with its formula alone, ridge regression, nearest neighbours and scikit-learn's default gradient
 * boosting (bench/public). `-- --write-splits` only writes the splits, for the latter. `--runs=FILE` keeps each measured
 * split in that file and measures none twice, so that an interrupted run can be resumed and tables run in parallel.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { argumentsOf, flag, runMain, text } from '../cli/command'
import { percent, tableOf } from '../cli/tables'
import { StartError } from '../core/start-error'
import { applyHedonic, marketAt } from '../engine/hedonic'
import { mean, quantile } from '../engine/numbers'
import { train } from '../engine/train'
import type { Model, Sale, Valued } from '../engine/types'
import { priceOfRecord } from '../engine/valuate'
import { baselines } from './baselines'
import { coverageOf } from './coverage'
import { FOLDER, loadTable, type PublicTable, publicTables, splitOf } from './public-tables'

const USAGE =
  '用法：npm run model:public [-- --splits=20 --table=表名 --n=300|2000|4800] [--runs=文件]，或 -- --write-splits'
/** training sizes, limited to three quarters of the table; the last one only for larger tables */
const SIZES = [300, 2_000, 4_800]
const LEARNED_SHARE = 0.75
const MAX_TESTED = 1_000
/** a split of a table with times tests a block of so many sales for each one learned from, the first split the newest block */
const BLOCK_SHARE = 1 / 12
const blockOf = (n: number): number => Math.floor(BLOCK_SHARE * n)
const MAX_SPLITS = 20
/** what the engine is compared with; `hgb` is scikit-learn's default gradient boosting */
const BASELINES = ['ridge', 'knn', 'hgb']

interface Split {
  past: number[]
  later: number[]
}

/** Sales in an order by the seed; of a table with times the block of that number, and the sales before it. */
function splitAt(sales: readonly Sale[], { time }: PublicTable, n: number, seed: number): Split {
  const order = splitOf(sales.length, seed)
  const learned = Math.min(n, Math.floor(LEARNED_SHARE * order.length))
  if (!time) return { past: order.slice(0, learned), later: order.slice(learned, learned + MAX_TESTED) }
  const timeOf = (i: number) => sales[i]?.at ?? 0
  order.sort((a, b) => timeOf(a) - timeOf(b))
  const first = order.length - seed * blockOf(n)
  return { past: order.slice(Math.max(0, first - n), first), later: order.slice(first, first + blockOf(n)) }
}

/** Numbers of the splits: as many as wanted, and no more blocks than have sales before them. */
function seeds(splits: number, sales: readonly Sale[], { time }: PublicTable, n: number): number[] {
  const most = time ? Math.max(1, Math.floor((sales.length - n) / blockOf(n))) : splits
  return Array.from({ length: Math.min(splits, most) }, (_, k) => k + 1)
}

const sizesOf = (sales: readonly Sale[]): number[] => SIZES.filter((n) => n <= 2_000 || sales.length > n)

function writeSplits(): void {
  const all = publicTables().map((table) => {
    const { sales } = loadTable(table)
    const bySize = sizesOf(sales).map((n) => [
      n,
      seeds(MAX_SPLITS, sales, table, n).map((seed) => splitAt(sales, table, n, seed)),
    ])
    return [table.id, Object.fromEntries(bySize)]
  })
  writeFileSync(path.join(FOLDER, 'tables', 'splits.json'), JSON.stringify(Object.fromEntries(all)))
}

interface Boosted {
  /** median errors by table and size, one per split */
  medianError: Record<string, Record<string, number[]>>
}

const boosted = (): Boosted => JSON.parse(readFileSync(path.join(FOLDER, 'hgb.json'), 'utf8'))

interface Measured {
  /** median error of the engine, of its formula and of the baselines */
  errors: Record<string, number>
  coverage: number
  /** coverage by quarter of the estimated price */
  quarters: number[]
  treeWeight: number
}

type Priced = { sale: Sale; price: Valued['price'] }

function measure({ config, sales }: ReturnType<typeof loadTable>, { past, later }: Split): Measured {
  const salesOf = (rows: readonly number[]) => rows.flatMap((i) => sales[i] ?? [])
  const [learned, tested] = [salesOf(past), salesOf(later)]
  const model = train(config, learned, { now: Math.max(...learned.map(({ at }) => at)) })
  const priced = tested.flatMap((sale): Priced[] => {
    const price = priceOfRecord(model, config, sale.attributes, { now: sale.at, source: 'TYPED' })
    return price ? [{ sale, price }] : []
  })
  const error = (logs: readonly number[], of: readonly Sale[]) =>
    quantile(
      of.map(({ priceFen }, i) => Math.abs(Math.exp(logs[i] ?? 0) / priceFen - 1)),
      0.5,
    )
  const errors: Record<string, number> = {
    engine: error(
      priced.map(({ price }) => Math.log(price.predictFen)),
      priced.map(({ sale }) => sale),
    ),
  }
  errors.formula = error(
    tested.map((sale) => formulaLog(model, sale)),
    tested,
  )
  for (const [name, logs] of Object.entries(baselines(config.fields, learned, tested)))
    errors[name] = error(logs, tested)
  return {
    errors,
    ...coverageOf(priced.map(({ sale: { priceFen }, price }) => ({ ...price, paidFen: priceFen }))),
    treeWeight: model.stack.treeWeight,
  }
}

/** Log price by the formula, without comparables. */
function formulaLog({ hedonic }: Model, { attributes, at }: Sale): number {
  return applyHedonic(hedonic, attributes, 'average').logValue + marketAt(hedonic.market, at)
}

interface Run extends Measured {
  table: string
  n: number
  seed: number
}

/** Measured splits kept in `file`, if one is named. */
const keptRuns = (file: string): Run[] =>
  file !== '' && existsSync(file)
    ? readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : []

function runsOf(
  table: PublicTable,
  n: number,
  splits: number,
  file: string,
  loaded: ReturnType<typeof loadTable>,
): Run[] {
  const kept = keptRuns(file).filter((run) => run.table === table.id && run.n === n)
  return seeds(splits, loaded.sales, table, n).map((seed) => {
    const known = kept.find((run) => run.seed === seed)
    if (known) return known
    const run = { table: table.id, n, seed, ...measure(loaded, splitAt(loaded.sales, table, n, seed)) }
    if (file !== '') appendFileSync(file, `${JSON.stringify(run)}\n`)
    return run
  })
}

function linesOf(table: PublicTable, sizes: readonly number[], splits: number, file: string): (string | number)[][] {
  const loaded = loadTable(table)
  const wanted = sizesOf(loaded.sales).filter((n) => sizes.includes(n))
  return wanted.map((n) => lineOf(table, n, runsOf(table, n, splits, file, loaded)))
}

function lineOf(table: PublicTable, n: number, runs: readonly Run[]): (string | number)[] {
  const errors = Object.fromEntries(
    Object.keys(runs[0]?.errors ?? {}).map((name) => [name, mean(runs.map((run) => run.errors[name] ?? 0))]),
  )
  const ofHgb = boosted().medianError[table.id]?.[n]
  if (ofHgb) errors.hgb = mean(ofHgb.slice(0, runs.length))
  const best = Math.min(...BASELINES.map((name) => errors[name] ?? Number.POSITIVE_INFINITY))
  const { engine = 0 } = errors
  return [
    ...[table.time ? `${table.id}（按时间）` : table.id, USES[table.use], n],
    ...['engine', 'formula', 'ridge', 'knn', 'hgb'].map((name) =>
      errors[name] === undefined ? '–' : percent(errors[name]),
    ),
    (engine / best).toFixed(2),
    percent(mean(runs.map(({ coverage }) => coverage))),
    [0, 1, 2, 3].map((k) => (100 * mean(runs.map(({ quarters }) => quarters[k] ?? 0))).toFixed(0)).join('/'),
    mean(runs.map(({ treeWeight }) => treeWeight)).toFixed(2),
  ]
}

const USES: Record<PublicTable['use'], string> = { development: '开发', report: '只报告', unseen: '事后取得' }

const HEAD = [
  '表',
  '用途',
  '学习',
  '引擎',
  '公式',
  'ridge',
  'k-NN',
  'HGB',
  '引擎 ÷ 最好',
  '覆盖',
  '各价位覆盖',
  '树的权重',
]

const options = {
  ...{ splits: text(String(MAX_SPLITS)), table: text(''), n: text(''), runs: text('') },
  'write-splits': flag,
}

function run(): void {
  const given = argumentsOf(USAGE, options).values
  if (given['write-splits']) {
    writeSplits()
    return
  }
  const splits = Number(given.splits)
  const tables = publicTables().filter(({ id }) => given.table === '' || id === given.table)
  const sizes = SIZES.filter((n) => given.n === '' || n === Number(given.n))
  if (!(splits >= 1 && splits <= MAX_SPLITS) || tables.length === 0 || sizes.length === 0) throw new StartError(USAGE)
  const rows = tables.flatMap((table) => linesOf(table, sizes, splits, given.runs))
  console.log(`误差中位数，${splits} 次划分的平均\n`)
  console.log(tableOf(HEAD, rows))
}

runMain(run)
