import { randomBytes } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { AppError, invalid } from '../../../core/app-error'
import type { Encryption } from '../../../core/encryption'
import type { Db } from '../../../db/database'
import type { Partners } from '../../../db/tables'
import { lockName } from '../../shared/locks'
import { newId } from '../../shared/secrets'
import { canonicalName, isReservedName, UNPRINTABLE } from '../import/check-sale'

export type Partner = Selectable<Partners>

export interface PartnerKey {
  /** public: names the partner in its calls */
  key: string
  /** signs its calls; shown once */
  secret: string
}

const MAX_NAME = 40

/** Additional data of the secret's encryption: binds it to its row. */
const contextOf = (partnerId: string) => `partner:${partnerId}`

/**
 * Adds a partner. Call in a transaction: names that differ in case or width only are the same.
 * @throws AppError VALIDATION_FAILED: no name, one of ours, or one that exists
 */
export async function addPartner(tx: Db, encryption: Encryption, name: string, now: number): Promise<PartnerKey> {
  const refuse = (msg: string) => invalid([{ path: 'name', msg }])
  const called = name.trim()
  if (called === '' || called.length > MAX_NAME || UNPRINTABLE.test(called))
    throw refuse(`合作方名称为 1 到 ${MAX_NAME} 个可见字符`)
  if (isReservedName(called)) throw refuse(`合作方不能叫“${called}”：它由系统使用`)
  await lockName(tx, 'partner names')
  const others = await tx.selectFrom('partners').select('name').execute()
  const same = others.find((other) => canonicalName(other.name) === canonicalName(called))
  if (same) throw refuse(`已有名为“${same.name}”的合作方，请换一个名称或在工作台更换它的密钥`)
  const partnerId = `pk_${newId()}`
  const secret = randomBytes(32).toString('base64url')
  await tx
    .insertInto('partners')
    .values({
      ...{ partner_id: partnerId, name: called, created_at: now, stopped_at: null },
      secret_sealed: encryption.encrypt(secret, contextOf(partnerId)),
    })
    .execute()
  return { key: partnerId, secret }
}

/** Replaces the secret of a partner; the old one is invalid at once. @throws AppError NOT_FOUND */
export async function rotateSecret(db: Db, encryption: Encryption, partnerId: string): Promise<PartnerKey> {
  const secret = randomBytes(32).toString('base64url')
  const { numUpdatedRows } = await db
    .updateTable('partners')
    .set({ secret_sealed: encryption.encrypt(secret, contextOf(partnerId)) })
    .where('partner_id', '=', partnerId)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new AppError('NOT_FOUND', { msg: '没有这个合作方' })
  return { key: partnerId, secret }
}

/** The partner of a key, unless it is stopped. */
export const activePartner = (db: Db, key: string): Promise<Partner | undefined> =>
  db.selectFrom('partners').selectAll().where('partner_id', '=', key).where('stopped_at', 'is', null).executeTakeFirst()

export const secretOfPartner = (encryption: Encryption, partner: Pick<Partner, 'partner_id' | 'secret_sealed'>) =>
  encryption.decrypt(partner.secret_sealed, contextOf(partner.partner_id))

/** Encrypts secrets again that are encrypted with an old key. @returns how many */
export async function rotatePartnerSecrets(db: Db, encryption: Encryption): Promise<number> {
  const rows = await db.selectFrom('partners').select(['partner_id', 'secret_sealed']).execute()
  const stale = rows.filter(({ secret_sealed }) => encryption.isStale(secret_sealed))
  for (const row of stale)
    await db
      .updateTable('partners')
      .set({ secret_sealed: encryption.encrypt(secretOfPartner(encryption, row), contextOf(row.partner_id)) })
      .where('partner_id', '=', row.partner_id)
      .where('secret_sealed', '=', row.secret_sealed)
      .execute()
  return stale.length
}

/** Uses the sales of a partner again whose level had moved; only later ones are compared from now on. */
export const settleLevel = (tx: Db, partnerId: string) =>
  tx
    .updateTable('partners')
    .set({
      moved_level: null,
      checked_sale: (e) => e.selectFrom('sales').select(sql<number>`coalesce(max(id), 0)`.as('id')),
    })
    .where('partner_id', '=', partnerId)
    .execute()
