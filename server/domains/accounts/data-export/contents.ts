import { type Kysely, sql } from 'kysely'
import { maskIdNo, maskName } from '@/contract/mask'
import type { Encryption } from '../../../core/encryption'
import type { DB } from '../../../db/tables'
import type { userDataTables } from '../account-deletion'
import { listingPricesOf } from '../reporter-hashes'

type OwnTable = (typeof userDataTables)['deleted' | 'kept'][number]

/**
 * Columns of each table that a data export contains. Omitted are secrets, hashes, ids of other persons and data of
 * internal use only. Every table with rows of a user is listed, even if nothing of it is exported.
 */
export const ownColumns: { readonly [T in OwnTable]: readonly (keyof DB[T] & string)[] } = {
  account_names: ['account_id', 'name'],
  ad_nonces: [],
  collection_tasks: [
    ...(['game_id', 'status', 'lookup', 'listing_fen', 'features', 'corrections'] as const),
    ...(['read_at', 'created_at', 'forgotten_at'] as const),
  ],
  chat_messages: ['seq', 'type', 'sender', 'nick', 'body', 'image', 'card', 'at'],
  chats: [],
  data_exports: ['status', 'requested_at', 'ready_at', 'expire_at'],
  feedback: ['type', 'content', 'images', 'status', 'reply', 'replied_at', 'created_at'],
  former_ids: [],
  game_requests: ['name', 'platform', 'remark', 'created_at'],
  messages: ['type', 'title', 'summary', 'body', 'read', 'created_at'],
  orders: [
    ...(['order_no', 'game_id', 'mode', 'status', 'pay_status', 'title', 'source', 'answers', 'images'] as const),
    ...(['paid_answers', 'remark', 'ask_fen', 'agreed_at', 'origin_fen', 'discount_fen', 'pay_fen'] as const),
    ...(['pay_type', 'report_no', 'cancel_reason', 'info_wanted', 'refund_answer', 'revaluation_request'] as const),
    ...(['created_at', 'paid_at', 'reported_at', 'done_at'] as const),
  ],
  payments: ['id', 'order_id', 'pay_type', 'provider', 'amount_fen', 'status', 'txn', 'created_at', 'paid_at'],
  real_names: ['status', 'updated_at'],
  report_shares: ['report_no', 'created_at', 'revoked_at'],
  reports: [
    'report_no',
    'order_id',
    'game_id',
    'version',
    'status',
    'inputs',
    'predict_fen',
    'created_at',
    'valid_until',
  ],
  screenshot_tasks: ['game_id', 'status', 'keys', 'result', 'created_at'],
  sale_followups: [
    ...(['order_id', 'outcome', 'platform', 'list_fen', 'listed_at', 'sold_fen', 'sold_at'] as const),
    ...(['image', 'told_at'] as const),
  ],
  sessions: ['device', 'seen_at', 'created_at', 'expires_at'],
  unlock_helps: ['at'],
  unlock_records: ['order_id', 'need', 'got', 'created_at', 'expire_at'],
  uploads: ['key', 'bytes', 'type', 'created_at'],
  user_coupons: ['coupon_id', 'template_id', 'status', 'start_at', 'end_at', 'received_at', 'used_at', 'order_id'],
  reviews: [
    ...(['order_id', 'score', 'accuracy', 'speed', 'service', 'tags', 'content', 'images', 'anonymous'] as const),
    ...(['sold_fen', 'sold_at', 'sold_platform', 'created_at', 'addition', 'addition_images', 'added_at'] as const),
  ],
  wechat_logins: ['app_id', 'openid', 'created_at'],
}

interface Source {
  db: Kysely<DB>
  encryption: Encryption
  userId: string
}

/** The account itself. Name and ID number stay masked, as everywhere in the app, because the file may be passed on. */
async function account({ db, encryption, userId }: Source) {
  const user = await db
    .selectFrom('users')
    .select(['id', 'mobile', 'nickname', 'avatar', 'settings', 'channel', 'created_at'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const encrypted = await db
    .selectFrom('real_names')
    .select(['name_sealed', 'id_no_sealed'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  const masked = (text: string | null | undefined, mask: (plain: string) => string) =>
    text ? mask(encryption.decrypt(text, userId)) : undefined
  return {
    ...user,
    realName: { name: masked(encrypted?.name_sealed, maskName), idNo: masked(encrypted?.id_no_sealed, maskIdNo) },
  }
}

/** The rows of one table as JSON. An active account has several thousand, which are a few megabytes. */
async function rowsOf({ db, userId }: Source, table: OwnTable): Promise<string> {
  const columns = ownColumns[table].map((column) => sql.ref(column))
  const { rows } = await sql<{ text: string | null }>`select json_agg(own)::text as text from (
    select ${sql.join(columns)} from ${sql.table(table)} where user_id = ${userId} order by 1) as own`.execute(db)
  return rows[0]?.text ?? '[]'
}

/** The JSON files of a user's export by name, all read in the transaction of `db` and therefore consistent. */
export async function jsonFiles(source: Source): Promise<[name: string, text: string][]> {
  const { db, encryption, userId } = source
  const files: [string, string][] = [
    ['account.json', JSON.stringify(await account(source), null, 2)],
    ['listing_prices.json', JSON.stringify(await listingPricesOf(db, encryption, userId), null, 2)],
  ]
  for (const table of Object.keys(ownColumns) as OwnTable[])
    if (ownColumns[table].length > 0) files.push([`${table}.json`, await rowsOf(source, table)])
  return files
}

/** Object keys of the user's pictures that rows refer to, without duplicates. */
export async function pictureKeys({ db, userId }: Pick<Source, 'db' | 'userId'>): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from uploads where user_id = ${userId}
    union select image from chat_messages where user_id = ${userId} and image is not null
    union select jsonb_array_elements_text(images) from orders where user_id = ${userId}
    union select jsonb_array_elements_text(images) from feedback where user_id = ${userId}
    union select jsonb_array_elements_text(images) from reviews where user_id = ${userId}
    order by 1`.execute(db)
  return rows.map(({ key }) => key)
}
