/** Receives a partner's sales: validates, screens them against the market, stores, holds or refuses row by row. */
import { setImmediate as turn } from 'node:timers/promises'
import type { FormConfig } from '@/contract/form/types'
import { MINUTE_MS } from '@/contract/time'
import { AppError } from '../../../app-error'
import type { Deps } from '../../../context'
import type { RecordedPrice } from '../../../db/columns'
import type { Db } from '../../../db/database'
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
import { type ExpectedPrice, expectedPriceOf, modelInUse } from '../expected-price'
import { readRows } from '../import/rows'
import { checkSale } from '../import/sales'
import { roundedResidual, SHIFT_WINDOW_SALES, screenSale, shiftedCount, shiftOf, shiftText } from '../screening'
import { lockPartnerGame, lockShifts } from './shifted-sales'
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
  for await (const row of readRows(once(body), 'ndjson')) {
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

interface Compared extends Row {
  expected: ExpectedPrice
  isOutlier: boolean
}

/** Stores or holds the rows; prices in a wrong unit are refused. */
async function screenAndStore(deps: Receiver, partnerId: string, rows: readonly Row[], refused: FeedResult['refused']) {
  const total = { accepted: 0, held: 0 }
  for (const [gameId, ofGame] of byGame(rows)) {
    const config = await findGame(deps, gameId)
    const model = config && (await modelInUse(deps.db, deps.models, config))
    if (model) {
      const compared = await compare(model, ofGame, refused)
      for (const batch of batchesOf(compared)) {
        const { accepted, held } = await storeCompared(deps, partnerId, { gameId, model, compared: batch })
        total.accepted += accepted
        total.held += held
        await turn()
      }
    } else total.accepted += await storeAll(deps.db, ofGame)
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
    else
      compared.push({
        line,
        sale: { ...sale, residual: roundedResidual(expected) },
        expected,
        isOutlier: screened === 'OUTLIER',
      })
    await step()
  }
  return compared
}

interface ComparedGame {
  gameId: string
  model: Model
  compared: readonly Compared[]
}

/** ms after which sales that were accepted before a shift was found are held: calls before have ended */
const HOLD_AFTER = MINUTE_MS

/**
 * Stores or holds a batch together with its part in the partner's record, so that a call that fails, or comes twice at
 * once, counts no price twice.
 */
async function storeCompared({ db, clock }: Receiver, partnerId: string, { gameId, model, compared }: ComparedGame) {
  const now = clock.now()
  return db.transaction().execute(async (tx) => {
    await lockPartnerGame(tx, partnerId, gameId)
    const known = await knownSales(
      tx,
      compared.map(({ sale }) => sale),
    )
    const fresh = compared.filter(({ sale }) => !known.has(saleKey(sale)))
    const why = await noteShift(tx, partnerId, { gameId, model, compared: fresh }, now)
    const isHeld = ({ sale, isOutlier }: Compared) => isOutlier || (why !== undefined && sale.kind === 'SOLD')
    const held = fresh.filter(isHeld).map(({ sale, expected: { marketFen }, isOutlier }): HeldSale => {
      const isShifted = !isOutlier && why !== undefined
      return { ...sale, marketFen, ...(isShifted ? { reason: 'SHIFT', detail: why } : { reason: 'OUTLIER' }) }
    })
    const stored = fresh.filter((row) => !isHeld(row)).map(({ sale }) => sale)
    return { accepted: await insertSales(tx, stored), held: await holdSales(tx, held, now) }
  })
}

const rounded = (value: number): number => Math.round(value * 1e4) / 1e4

const recordOf = ({ sale, expected: { marketFen, spread }, isOutlier }: Compared): RecordedPrice => ({
  residual: sale.residual ?? 0,
  ...{ level: rounded(Math.log(marketFen)), spread: rounded(spread) },
  key: isOutlier ? '' : saleKey(sale),
})

/**
 * Adds the new sold prices to the partner's record of the game. Where its prices are shifted, sales among them that were
 * accepted before are noted to be held. @returns how they are shifted, in words; undefined when they are not
 */
async function noteShift(
  tx: Db,
  partnerId: string,
  { gameId, model, compared }: ComparedGame,
  now: number,
): Promise<string | undefined> {
  const sold = compared.filter(({ sale }) => sale.kind === 'SOLD')
  if (sold.length === 0) return undefined
  const row = await lockShifts(tx, partnerId, gameId)
  const prices = [...(row?.compared ?? []), ...sold.map(recordOf)].slice(-SHIFT_WINDOW_SALES)
  const shift = shiftOf(prices, model.hedonic.ask)
  const from = prices.length - (shift ? shiftedCount(prices, shift) : 0)
  // those of this call are held at once
  const held = new Set(shift && sold.map(({ sale }) => saleKey(sale)))
  const toHold = prices.slice(from).flatMap(({ key }) => (key === '' || held.has(key) ? [] : [key]))
  const why = shift && shiftText(shift)
  const value = {
    compared: JSON.stringify(prices.map((one, i) => (i >= from || held.has(one.key) ? { ...one, key: '' } : one))),
    ...{ why: why ?? null, changed_at: now },
    ...(toHold.length > 0 && {
      to_hold: JSON.stringify([...(row?.to_hold ?? []), ...toHold]),
      hold_at: now + HOLD_AFTER,
    }),
  }
  await tx
    .insertInto('partner_shifts')
    .values({ partner_id: partnerId, game_id: gameId, ...value })
    .onConflict((c) => c.columns(['partner_id', 'game_id']).doUpdateSet(value))
    .execute()
  return why
}

async function storeAll(db: Db, rows: readonly Row[]): Promise<number> {
  let n = 0
  for (const batch of batchesOf(rows)) {
    n += await insertSales(
      db,
      batch.map(({ sale }) => sale),
    )
    await turn()
  }
  return n
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

/** Lines of a call's body. @throws AppError PAYLOAD_TOO_LARGE */
export function checkLines(body: Uint8Array, most: number): void {
  let lines = body.length > 0 && body[body.length - 1] !== LINE_FEED ? 1 : 0
  for (const byte of body) if (byte === LINE_FEED) lines += 1
  if (lines > most) throw new AppError('PAYLOAD_TOO_LARGE', { msg: `一次最多 ${most} 行，请分批发送` })
}

const LINE_FEED = 0x0a
