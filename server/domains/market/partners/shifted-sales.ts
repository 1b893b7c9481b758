/**
 * Accepted sales of a partner that are doubted later, because there were too few of them to show that its prices are
 * shifted, or because they move prices as no other source does: they are taken from the sales that models learn from, and
 * wait at the desk like the later ones. A model in use that learned from them is trained again.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Deps } from '../../../context'
import type { Db } from '../../../db/database'
import type { HoldReason } from '../../../db/sale-channels'
import type { DB } from '../../../db/tables'
import { recordWithdrawal } from '../../models/withdrawn-sales'
import { batchesOf } from '../../shared/batches'
import { rowsJob } from '../../shared/due-rows'
import { lockName } from '../../shared/locks'
import { SHIFT_WINDOW_SALES } from '../screening'

/** sales that one statement holds at most: a window */
const BATCH = SHIFT_WINDOW_SALES
/** partners and games of a run */
const MAX_ROWS = 20

interface Doubt {
  reason: HoldReason
  /** for staff */
  detail: string | null
  /** ms */
  now: number
}

/**
 * Moves sales to those that wait at the desk. One that staff have decided stays as decided. An accepted one returns under
 * its id, so that models that have learned from it are not measured by it.
 * @param which SQL over `sales s` and `g`
 * @returns how many were moved
 */
async function holdAccepted(tx: Db, which: { given: RawBuilder<unknown>; where: RawBuilder<boolean> }, doubt: Doubt) {
  const { rows } = await sql<{ id: number; game_id: string }>`
    with moved as (
      delete from sales s using ${which.given}
      where ${which.where} and s.channel = 'PARTNER' and not exists (
        select from held_sales h where h.source = s.source and h.external_id = s.external_id)
      returning s.*)
    insert into held_sales (game_id, kind, price_fen, at, source, external_id, attributes, listed_at, channel, residual,
      reporter, device, fingerprint, reason, detail, market_fen, sale_id, held_at)
    select game_id, kind, price_fen, at, source, external_id, attributes, listed_at, channel, residual, reporter, device,
      fingerprint, ${doubt.reason}, ${doubt.detail}::text, round(price_fen / exp(residual::float8))::bigint, id,
      ${doubt.now}::bigint from moved
    returning sale_id as id, game_id`.execute(tx)
  await recordWithdrawal(tx, rows, doubt.now)
  return rows.length
}

function byKey(keys: readonly string[]) {
  const given = keys.map((key) => {
    const [source = '', externalId = ''] = key.split('\n')
    return { source, externalId }
  })
  return {
    given: sql`jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g(source text, "externalId" text)`,
    where: sql<boolean>`s.source = g.source and s.external_id = g."externalId"`,
  }
}

/** Serialises changes of what is known of a partner's sales of a game. */
export const lockPartnerGame = (tx: Db, partnerId: string, gameId: string) =>
  lockName(tx, `partner:${partnerId}:${gameId}`)

/** SQL over `partner_shifts`. */
export const ofGame = (partnerId: string, gameId: string) =>
  sql<boolean>`(partner_id = ${partnerId} and game_id = ${gameId})`

/** What is known of a partner's sales of a game, locked after `lockPartnerGame`. */
export const lockShifts = (tx: Db, partnerId: string, gameId: string) =>
  tx.selectFrom('partner_shifts').selectAll().where(ofGame(partnerId, gameId)).forUpdate().executeTakeFirst()

const countHeld = (tx: Db, partnerId: string, gameId: string, n: number) =>
  tx
    .updateTable('partner_shifts')
    .set({ held_later: sql<number>`held_later + ${n}` })
    .where(ofGame(partnerId, gameId))
    .execute()

/** Holds accepted sales that move prices as no other source does. @param ids of the sales @param detail for staff */
export async function holdInfluential(
  db: Kysely<DB>,
  {
    partnerId,
    gameId,
    ids,
    detail,
    now,
  }: { partnerId: string; gameId: string; ids: readonly string[]; detail: string; now: number },
): Promise<number> {
  let held = 0
  for (const batch of batchesOf(ids))
    held += await db.transaction().execute(async (tx) => {
      // before the sales, as a removal and the job below lock them
      await lockPartnerGame(tx, partnerId, gameId)
      await lockShifts(tx, partnerId, gameId)
      const which = {
        given: sql`jsonb_array_elements_text(${JSON.stringify(batch)}::jsonb) as g(id)`,
        where: sql<boolean>`s.id = g.id::bigint`,
      }
      const n = await holdAccepted(tx, which, { reason: 'INFLUENCE', detail, now })
      await countHeld(tx, partnerId, gameId, n)
      return n
    })
  return held
}

interface Due {
  partner_id: string
  game_id: string
  to_hold: string[]
  why: string | null
}

async function holdNext({ db, clock, log }: Deps, { partner_id, game_id, to_hold, why }: Due): Promise<boolean> {
  const [keys, rest] = [to_hold.slice(0, BATCH), to_hold.slice(BATCH)]
  const held = await db.transaction().execute(async (tx) => {
    const claimed = await tx
      .updateTable('partner_shifts')
      .set({ to_hold: JSON.stringify(rest) })
      .where('partner_id', '=', partner_id)
      .where('game_id', '=', game_id)
      .where(sql<boolean>`to_hold = ${JSON.stringify(to_hold)}::jsonb`)
      .executeTakeFirst()
    if (claimed.numUpdatedRows === 0n) return undefined
    const moved = await holdAccepted(tx, byKey(keys), {
      reason: 'SHIFT',
      detail: why ?? '接收时偏离行情，之后的成交已恢复正常',
      now: clock.now(),
    })
    await countHeld(tx, partner_id, game_id, moved)
    return moved
  })
  if (held) log.warn({ partner: partner_id, game: game_id, held }, 'sales accepted before a shift was found are held')
  return held !== undefined
}

/** Holds accepted sales of partners whose prices were found shifted, a window at a time. */
export const holdShiftedSales = rowsJob({
  name: 'shifted sales',
  lowPriority: true,
  due: (deps, now, notQuarantined) =>
    deps.db
      .selectFrom('partner_shifts')
      .select(['partner_id', 'game_id', 'to_hold', 'why'])
      .where(sql<boolean>`to_hold <> '[]'`)
      // a call whose sales are just being stored has ended by then
      .where('hold_at', '<=', now)
      .where(notQuarantined(sql`partner_id || ' ' || game_id`))
      .limit(MAX_ROWS)
      .execute(),
  idOf: ({ partner_id, game_id }) => `${partner_id} ${game_id}`,
  process: holdNext,
})
