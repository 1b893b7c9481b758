/** Receives a partner's sales: validates, screens them against the market, stores, holds or refuses row by row. */
import { setImmediate as turn } from 'node:timers/promises'
import type { FormConfig } from '@/contract/form/types'
import { AppError } from '../../../app-error'
import type { Deps } from '../../../context'
import type { Db } from '../../../db/database'
import type { HoldReason } from '../../../db/sale-channels'
import {
  differencesFrom,
  type HeldSale,
  holdSales,
  insertSales,
  knownSales,
  type SaleRow,
  saleKey,
} from '../../../db/sales'
import type { Model } from '../../../engine/types'
import { batchesOf } from '../../shared/batches'
import { lockName } from '../../shared/locks'
import { type ExpectedPrice, expectedPriceOf, modelInUse } from '../expected-price'
import { encodingOf } from '../import/encoding'
import { readRows } from '../import/rows'
import { checkSale } from '../import/sales'
import { roundedResidual, screenSale } from '../screening'
import { movedLevel } from './moved-level'
import { claimSources } from './sources'

export interface FeedResult {
  /** stored */
  accepted: number
  /** stored or held before, or twice in this call */
  known: number
  /** waiting for a decision at the desk */
  held: number
  refused: { line: number; reason: string }[]
  /** those of the known that differ from what is stored, which stays; absent without any */
  differs?: { line: number; reason: string }[]
}

interface Row {
  line: number
  sale: SaleRow
}

/** Rows processed before yielding to other requests: some ms. */
const STEP = 20
/** of the reasons kept with a call */
const MAX_REASONS = 20

type Receiver = Pick<Deps, 'db' | 'games' | 'models' | 'clock'>

/**
 * Takes one body of sales (NDJSON). Idempotent by `source + externalId`: rows that are stored or held already are
 * `known`. A source belongs to the first partner that sends it.
 */
export async function receiveSales(deps: Receiver, partnerId: string, body: Uint8Array): Promise<FeedResult> {
  const { db, clock } = deps
  const now = clock.now()
  const refused: FeedResult['refused'] = []
  const valid = await validRows(deps, body, now, refused)
  const lines = valid.length + refused.length
  const own = await ownRows(db, partnerId, valid, refused)
  const { fresh, known: others } = await splitKnown(db, own)
  const { accepted, held } = await screenAndStore(deps, partnerId, fresh, refused)
  const differs = await differing(db, refuseRepeated(fresh, others, refused))
  refused.sort((a, b) => a.line - b.line)
  const known = lines - refused.length - accepted - held
  await db
    .insertInto('partner_calls')
    .values({
      ...{ partner_id: partnerId, at: now, lines, accepted, known, held, refused: refused.length },
      reasons: JSON.stringify(countReasons(refused)),
    })
    .execute()
  return { accepted, known, held, refused, ...(differs.length > 0 && { differs }) }
}

async function* once(body: Uint8Array) {
  yield body
}

/** Yields to other requests after every `STEP` calls. */
function yielding(): () => Promise<void> {
  let n = 0
  return async () => {
    n += 1
    if (n % STEP === 0) await turn()
  }
}

const findGame = async (deps: Receiver, gameId: string): Promise<FormConfig | undefined> =>
  (await deps.games.all()).find(({ config }) => config.gameId === gameId)?.config

async function validRows(
  deps: Receiver,
  body: Uint8Array,
  now: number,
  refused: FeedResult['refused'],
): Promise<Row[]> {
  const found = new Map<string, Promise<FormConfig | undefined>>()
  const configOf = (gameId: string) => {
    const game = found.get(gameId) ?? findGame(deps, gameId)
    found.set(gameId, game)
    return game
  }
  const rows: Row[] = []
  const step = yielding()
  for await (const row of readRows(once(body), 'ndjson', await encodingOf(once(body)))) {
    const checked = 'reason' in row ? row.reason : await checkSale(row.value, { configOf, now })
    if (typeof checked === 'string') refused.push({ line: row.line, reason: checked })
    else rows.push({ line: row.line, sale: { ...checked, channel: 'PARTNER' } })
    await step()
  }
  return rows
}

/** Claims the sources for the partner; rows of a source that it may not use are refused. */
async function ownRows(
  db: Receiver['db'],
  partnerId: string,
  rows: readonly Row[],
  refused: FeedResult['refused'],
): Promise<Row[]> {
  const reasons = await claimSources(db, partnerId, new Set(rows.map(({ sale }) => sale.source)))
  return rows.filter(({ line, sale }) => {
    const reason = reasons.get(sale.source)
    if (reason !== undefined) refused.push({ line, reason })
    return reason === undefined
  })
}

/** The rows that are neither stored nor held, each once, and the others. */
async function splitKnown(db: Db, rows: readonly Row[]): Promise<{ fresh: Row[]; known: Row[] }> {
  const seen = new Set<string>()
  for (const batch of batchesOf(rows.map(({ sale }) => sale)))
    for (const key of await knownSales(db, batch)) seen.add(key)
  const [fresh, known]: [Row[], Row[]] = [[], []]
  for (const row of rows) {
    const key = saleKey(row.sale)
    if (seen.has(key)) known.push(row)
    else fresh.push(row)
    seen.add(key)
  }
  return { fresh, known }
}

/** A row that repeats a refused one is refused too: nothing of its sale is stored. @returns the others */
function refuseRepeated(fresh: readonly Row[], known: readonly Row[], refused: FeedResult['refused']): Row[] {
  const lines = new Set(refused.map(({ line }) => line))
  const firstLines = new Map(
    fresh.flatMap(({ line, sale }) => (lines.has(line) ? [[saleKey(sale), line] as const] : [])),
  )
  return known.filter(({ line, sale }) => {
    const first = firstLines.get(saleKey(sale))
    if (first !== undefined) refused.push({ line, reason: `与第 ${first} 行是同一条，那一行被拒绝：请只发正确的一行` })
    return first === undefined
  })
}

/** Known rows that differ from what is stored or held, with the fields in which they do. */
async function differing(db: Db, known: readonly Row[]): Promise<FeedResult['refused']> {
  const found: FeedResult['refused'] = []
  for (const batch of batchesOf(known)) {
    const differences = await differencesFrom(
      db,
      batch.map(({ sale }) => sale),
    )
    for (const [i, { line }] of batch.entries()) {
      const fields = differences.get(i)
      if (fields) found.push({ line, reason: `已有这一条，${fields} 不同：没有更改。要更正请与我们联系，移除后再发` })
    }
    await turn()
  }
  return found
}

/** Sales of a partner that staff must have accepted before its rows are stored without them. */
const NEWCOMER = 200

/** A row with its price by the model; without a model it cannot be compared. */
interface Compared extends Row {
  expected?: ExpectedPrice
  isOutlier: boolean
}

/** Stores or holds the rows; prices in a wrong unit are refused. */
async function screenAndStore(deps: Receiver, partnerId: string, rows: readonly Row[], refused: FeedResult['refused']) {
  const total = { accepted: 0, held: 0 }
  for (const [gameId, ofGame] of byGame(rows)) {
    const config = await findGame(deps, gameId)
    const model = config && (await modelInUse(deps.db, deps.models, config))
    const compared = model
      ? await compare(model, ofGame, refused)
      : ofGame.map((row): Compared => ({ ...row, isOutlier: false }))
    for (const batch of batchesOf(compared)) {
      const { accepted, held } = await store(deps, partnerId, gameId, batch)
      total.accepted += accepted
      total.held += held
      await turn()
    }
  }
  return total
}

function byGame(rows: readonly Row[]): Map<string, Row[]> {
  const games = new Map<string, Row[]>()
  for (const row of rows) {
    const sameGame = games.get(row.sale.gameId)
    if (sameGame) sameGame.push(row)
    else games.set(row.sale.gameId, [row])
  }
  return games
}

async function compare(model: Model, rows: readonly Row[], refused: FeedResult['refused']): Promise<Compared[]> {
  const compared: Compared[] = []
  const step = yielding()
  for (const { line, sale } of rows) {
    const expected = expectedPriceOf(model, sale)
    const screened = screenSale(expected)
    if (typeof screened === 'object') refused.push({ line, reason: screened.refused })
    else {
      const isOutlier = screened === 'OUTLIER'
      compared.push({ line, sale: { ...sale, residual: roundedResidual(expected) }, expected, isOutlier })
    }
    await step()
  }
  return compared
}

/** Stores or holds a batch, after any other of the partner. */
async function store({ db, clock }: Receiver, partnerId: string, gameId: string, compared: readonly Compared[]) {
  return db.transaction().execute(async (tx) => {
    await lockName(tx, `partner:${partnerId}`)
    const known = await knownSales(
      tx,
      compared.map(({ sale }) => sale),
    )
    const fresh = compared.filter(({ sale }) => !known.has(saleKey(sale)))
    const all = await holdReasonOf(tx, partnerId, gameId, fresh)
    const reasonOf = ({ isOutlier }: Compared) => all ?? (isOutlier ? ({ reason: 'OUTLIER' } as const) : undefined)
    const held = fresh.flatMap((row): HeldSale[] => {
      const why = reasonOf(row)
      return why ? [{ ...row.sale, ...why, ...(row.expected && { marketFen: row.expected.marketFen }) }] : []
    })
    const stored = fresh.filter((row) => !reasonOf(row)).map(({ sale }) => sale)
    return { accepted: await insertSales(tx, stored), held: await holdSales(tx, held, clock.now()) }
  })
}

/** Why all rows of a partner wait for staff: it is new, or its level has moved. */
async function holdReasonOf(
  tx: Db,
  partnerId: string,
  gameId: string,
  fresh: readonly Compared[],
): Promise<{ reason: HoldReason; detail?: string } | undefined> {
  const { moved_level: moved } = await tx
    .selectFrom('partners')
    .select('moved_level')
    .where('partner_id', '=', partnerId)
    .executeTakeFirstOrThrow()
  if (moved !== null) return { reason: 'LEVEL', detail: moved }
  const stored = await tx
    .selectFrom('sales')
    .innerJoin('partner_sources as p', 'p.source', 'sales.source')
    .select('sales.id')
    .where('p.partner_id', '=', partnerId)
    .where('channel', '=', 'PARTNER')
    .limit(NEWCOMER)
    .execute()
  if (stored.length < NEWCOMER) return { reason: 'NEW' }
  for (const kind of ['SOLD', 'ASKING'] as const) {
    const residuals = fresh.flatMap(({ sale }) => (sale.kind === kind ? (sale.residual ?? []) : []))
    const detail = await movedLevel(tx, { partnerId, gameId, kind }, residuals)
    if (detail === undefined) continue
    await tx.updateTable('partners').set({ moved_level: detail }).where('partner_id', '=', partnerId).execute()
    return { reason: 'LEVEL', detail }
  }
  return undefined
}

function countReasons(refused: FeedResult['refused']): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { reason } of refused) {
    const key = reason.slice(0, 60)
    if (counts[key] === undefined && Object.keys(counts).length >= MAX_REASONS) continue
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}

const [LF, CR] = [0x0a, 0x0d]

/** Counts the lines of a call's body, which end with CR, LF or both. @throws AppError PAYLOAD_TOO_LARGE */
export function checkLines(body: Uint8Array, most: number): void {
  let lines = 0
  for (let i = 0; i < body.length; i += 1)
    if (body[i] === LF || (body[i] === CR && body[i + 1] !== LF) || i === body.length - 1) lines += 1
  if (lines > most) throw new AppError('PAYLOAD_TOO_LARGE', { msg: `一次最多 ${most} 行，请分批发送` })
}
