import { type RawBuilder, sql } from 'kysely'
import { invalid } from '../../core/app-error'
import type { Encryption } from '../../core/encryption'
import type { Db } from '../../db/database'
import { lockUsers } from '../shared/locks'
import { userDataTables } from './account-deletion'
import { notify } from './notifications/send'
import { unifyReporter } from './reporter-hashes'

interface Join {
  /** an account without a number; it is deleted */
  from: string
  into: string
  encryption: Encryption
  now: number
}

/** Statements for rows that would violate unique indexes of the other account. */
function resolveConflicts({ from, into }: Join): RawBuilder<unknown>[] {
  return [
    sql`update user_coupons c set user_id = ${into}, nth = c.nth + coalesce((select max(o.nth) from user_coupons o
      where o.user_id = ${into} and o.template_id = c.template_id), 0) where c.user_id = ${from}`,
    // deduplicate requests for games and helps that both accounts have
    sql`delete from game_requests w where w.user_id = ${from} and exists
      (select 1 from game_requests o where o.user_id = ${into} and o.name_key = w.name_key)`,
    // helps between the two accounts, or duplicate ones, are of one person: they no longer count on open records
    sql`with deleted as (delete from unlock_helps h where h.user_id in (${from}, ${into}) and
        (h.owner_id in (${from}, ${into}) or h.user_id = ${from} and exists
        (select 1 from unlock_helps o where o.user_id = ${into} and o.record_id = h.record_id)) returning record_id),
      counted as (select record_id, count(*)::int as n from deleted group by record_id)
      update unlock_records r set got = r.got - counted.n from counted where r.id = counted.record_id and r.got < r.need`,
    sql`update unlock_helps set owner_id = ${into} where owner_id = ${from}`,
    // client ids are only unique per device, so both may have used one: the remaining account keeps it
    sql`update chat_messages m set client_id = null where m.user_id = ${from} and exists
      (select 1 from chat_messages o where o.user_id = ${into} and o.client_id = m.client_id)`,
    // append the messages of one conversation to the other
    sql`update chat_messages m set user_id = ${into}, seq = m.seq + c.last_seq from chats c
      where m.user_id = ${from} and c.user_id = ${into}`,
    sql`update chats c set last_seq = c.last_seq + f.last_seq, changed_at = greatest(c.changed_at, f.changed_at),
      waiting_since = least(c.waiting_since, f.waiting_since) from chats f where c.user_id = ${into} and f.user_id = ${from}`,
    sql`delete from chats c where c.user_id = ${from} and exists (select 1 from chats o where o.user_id = ${into})`,
    // events are found by their orders, because actors have no index
    sql`update order_events set actor = ${`user:${into}`} where actor = ${`user:${from}`}
      and order_id in (select id from orders where user_id = ${from})`,
    sql`delete from sessions where user_id = ${from}`,
    sql`insert into former_ids (former_id, user_id) values (${from}, ${into})`,
  ]
}

/**
 * Enforces the per-user limit for coupons of one template that both accounts hold: keeps those in use first, unusable
 * ones last. Surplus coupons are withdrawn: an unused one expires now, one of an order when the order releases it, also
 * by a refund that we caused.
 * @returns how many were still valid
 */
async function endSurplus(tx: Db, { from, into, now }: Join): Promise<number> {
  const both = sql`(select template_id from user_coupons where user_id = ${from}
    intersect select template_id from user_coupons where user_id = ${into})`
  // serialise with `give`, which counts coupons under the template's lock
  await sql`select template_id from coupon_templates where template_id in
    (select template_id from user_coupons where user_id = ${from}) order by template_id for update`.execute(tx)
  const { rows } = await sql<{ valid: boolean }>`update user_coupons c set end_at = least(c.end_at, ${now}::bigint),
      status = case c.status when 'UNUSED' then 'EXPIRED' else c.status end, withdrawn = true
    from (select coupon_id, template_id, end_at, row_number() over (partition by template_id
        order by array_position(array['USED', 'LOCKED', 'UNUSED', 'EXPIRED'], status), user_id = ${from}, nth) as place
      from user_coupons where user_id in (${from}, ${into}) and template_id in ${both}) as held
    join coupon_templates t on t.template_id = held.template_id
    where c.coupon_id = held.coupon_id and held.place > t.per_user and c.status <> 'EXPIRED'
    returning held.end_at > ${now}::bigint as valid`.execute(tx)
  return rows.filter(({ valid }) => valid).length
}

/** Re-encrypts data bound to its owner for the other account, whose own real-name check stays if both have passed. */
async function reencryptRealName(tx: Db, { from, into, encryption }: Join): Promise<void> {
  const again = (encrypted: string | null) =>
    encrypted === null ? null : encryption.encrypt(encryption.decrypt(encrypted, from), into)
  const checks = await tx.selectFrom('real_names').selectAll().where('user_id', 'in', [from, into]).execute()
  const [mine, theirs] = [from, into].map((id) => checks.find(({ user_id }) => user_id === id))
  const kept = mine && theirs?.status !== 'PASSED' ? mine : theirs
  await tx
    .deleteFrom('real_names')
    .where('user_id', 'in', [from, into])
    .where('user_id', '<>', kept?.user_id ?? '')
    .execute()
  if (kept === mine && mine)
    await tx
      .updateTable('real_names')
      .set({ user_id: into, name_sealed: again(mine.name_sealed), id_no_sealed: again(mine.id_no_sealed) })
      .where('user_id', '=', from)
      .execute()
  const contacts = await tx
    .selectFrom('feedback')
    .select(['id', 'contact_sealed'])
    .where('user_id', '=', from)
    .where('contact_sealed', 'is not', null)
    .execute()
  for (const { id, contact_sealed } of contacts)
    await tx
      .updateTable('feedback')
      .set({ contact_sealed: again(contact_sealed) })
      .where('id', '=', id)
      .execute()
}

/** One account cannot have two running collections of one game, and a running one cannot be ended here. */
async function refuseDoubleRead(tx: Db, { from, into }: Join): Promise<void> {
  const { rows } = await sql`select game_id from collection_tasks where user_id in (${from}, ${into})
    and status in ('CREATED', 'WAIT_SCAN', 'SCANNED', 'COLLECTING', 'VALUING') group by game_id having count(*) > 1`.execute(
    tx,
  )
  if (rows.length > 0) throw invalid([{ path: 'mobile', msg: '两个账号都在读取同一个游戏的资料，请等读取结束后再试' }])
}

/**
 * Merges a WeChat account without a number into the account of a number: orders, reports, coupons, payments,
 * messages and reported sales are moved, and the sessions of the first are ended. Both user rows are locked meanwhile.
 * @throws AppError VALIDATION_FAILED when both collect from the same game
 * @returns false when the first account has a number or is deleted because of a concurrent request; nothing was changed
 */
export async function mergeUsers(tx: Db, join: Join): Promise<boolean> {
  const { from, into, now } = join
  const both = await lockUsers(tx, [from, into], 'REMOVE')
  const [first, second] = [from, into].map((id) => both.find((row) => row.id === id))
  if (!first || !second || first.mobile !== null || second.erased) return false
  await refuseDoubleRead(tx, join)
  const ended = await endSurplus(tx, join)
  for (const statement of resolveConflicts(join)) await statement.execute(tx)
  await reencryptRealName(tx, join)
  for (const table of [...userDataTables.deleted, ...userDataTables.kept])
    await tx.updateTable(table).set({ user_id: into }).where('user_id', '=', from).execute()
  await unifyReporter(tx, join.encryption, into)
  await tx.deleteFrom('users').where('id', '=', from).where('mobile', 'is', null).execute()
  const surplus = ended > 0 ? '同一种优惠券中超过每人限领数量的部分已失效。' : ''
  const text = `您的微信账号已与手机号账号合并，订单、报告和优惠券都在这里。${surplus}`
  await notify(tx, { userId: into, type: 'SYSTEM', title: '账号已合并', summary: text, bizType: 'SYSTEM', now })
  return true
}
