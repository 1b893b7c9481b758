export const MINUTE = 60_000

export const DAY = 86_400_000

export interface Case {
  /** its rows fail when written to the database */
  table: string
  key: string
  /** inserts a due row; `$id` is its id, `$user` its user */
  rows: (now: number) => string[]
  /** SQL condition: the row was processed; absent: the row was deleted */
  done?: string
}

export const order = (columns: Record<string, string | number>) => {
  const all: Record<string, string | number> = {
    ...{ id: `'$id'`, order_no: `'$id'`, user_id: `'$user'`, game_id: `'val'`, mode: `'MANUAL'`, status: `'PAID'` },
    ...{
      pay_status: `'PAID'`,
      title: `''`,
      source: `'TYPED'`,
      schema_version: 1,
      answers: `'{}'`,
      request_key: `'$id'`,
    },
    ...{ origin_fen: 0, discount_fen: 0, pay_fen: 0, created_at: 1 },
    ...columns,
  }
  return `insert into orders (${Object.keys(all)}) values (${Object.values(all)})`
}

const payment = (status: string, txn: string, next: string | number) =>
  `insert into payments (id, order_id, user_id, pay_type, provider, amount_fen, return_url, origin, status, txn, created_at,
    expire_at, next_ask_at) values ('$id', '$id', '$user', 'ALI_WAP', '${txn === 'null' ? 'sandbox' : 'none'}', 1, '', '',
    '${status}', ${txn}, 0, 0, ${next})`

const coupon = (end: number) =>
  `insert into user_coupons (coupon_id, template_id, user_id, nth, status, start_at, end_at, received_at)
    values ('$id', 'manual-3', '$user', 1, 'UNUSED', 0, ${end}, 0)`

export const message = (createdAt: number, remindAt: number | string) =>
  `insert into messages (id, user_id, type, title, summary, body, biz_type, created_at, remind_at)
    values ('$id', '$user', 'SYSTEM', '', '', '', 'SYSTEM', ${createdAt}, ${remindAt})`

const task = (columns: string, values: string) =>
  `insert into collection_tasks (id, user_id, game_id, login_type, schema_version, lookup, created_at, ${columns})
    values ('$id', '$user', 'val', 'QR', 1, '{}', 0, ${values})`

/** A due row of every job; those without rows of their own are named with the reason. */
export const cases: Record<string, Case | string> = {
  'unwanted payments': 'changes all rows by one statement',
  'payments that wait': {
    ...{ table: 'payments', key: 'id', done: `status = 'CLOSED'` },
    rows: () => [order({ status: `'UNPAID'`, pay_status: `'UNPAID'` }), payment('CREATED', 'null', 0)],
  },
  'orders about to be late': {
    ...{ table: 'orders', key: 'id', done: 'reassigned_at is not null' },
    rows: (now) => [
      order({ status: `'ASSIGNED'`, due_at: now + 40 * MINUTE, appraiser_id: `'gone'` }),
      `insert into staff (staff_id, role, no, nick) values ('$id', 'APPRAISER', '$id', '$id')`,
      `insert into staff_logins (staff_id, name, password_hash, must_change, created_at) values ('$id', '$id', '', false, 0)`,
      `insert into staff_sessions (token_hash, staff_id, created_at, expires_at) values ('$id', '$id', ${now + DAY}, ${now + DAY})`,
    ],
  },
  'order deadlines': {
    ...{ table: 'orders', key: 'id', done: `status = 'CLOSED'` },
    rows: () => [order({ status: `'UNPAID'`, pay_status: `'UNPAID'`, pay_expire_at: 1 })],
  },
  'unanswered refunds': {
    ...{ table: 'orders', key: 'id', done: `status = 'REFUNDED'` },
    rows: () => [order({ status: `'REFUNDING'`, pay_status: `'REFUNDING'`, refund_due_at: 1 })],
  },
  'held refunds': 'counts only',
  'late coupons': {
    ...{ table: 'orders', key: 'id', done: 'late_coupon_at is not null' },
    rows: (now) => [order({ status: `'ASSIGNED'`, due_at: now - 1 })],
  },
  'insufficient samples': {
    ...{ table: 'orders', key: 'id', done: 'late_coupon_at is not null' },
    rows: (now) => [order({ mode: `'AI'`, status: `'INSUFFICIENT'`, pay_status: `'UNPAID'`, created_at: now })],
  },
  'abandoned AI payments': {
    ...{ table: 'orders', key: 'id', done: 'pay_expire_at is null' },
    rows: (now) => [
      order({ mode: `'AI'`, status: `'REPORTED'`, pay_status: `'UNPAID'`, reported_at: now, pay_expire_at: 1 }),
    ],
  },
  refunds: {
    ...{ table: 'refunds', key: 'id', done: `status = 'DONE'` },
    rows: () => [
      order({ status: `'CLOSED'`, pay_status: `'UNPAID'` }),
      payment('PAID', `'$id'`, 'null'),
      `insert into refunds (id, payment_id, order_id, amount_fen, reason, surplus, status, next_at, asked_at)
        values ('$id', '$id', '$id', 1, '', true, 'PENDING', 0, 0)`,
    ],
  },
  'coupon expiry': 'changes all rows by one statement',
  'coupon reminders': {
    ...{ table: 'user_coupons', key: 'coupon_id', done: 'warned' },
    rows: (now) => [coupon(now + DAY)],
  },
  'sandbox appraiser': {
    ...{ table: 'orders', key: 'id', done: `status <> 'PAID'` },
    rows: (now) => [order({ due_at: now + 100 * DAY })],
  },
  shipping: {
    ...{ table: 'payments', key: 'id', done: 'shipped_at is not null' },
    rows: (now) => [
      order({ mode: `'AI'`, status: `'DONE'`, reported_at: now }),
      `insert into payments (id, order_id, user_id, pay_type, provider, amount_fen, return_url, origin, status, txn, created_at,
        expire_at, paid_at, openid) values ('$id', '$id', '$user', 'WX_MINI', 'wechat', 1, '', '', 'PAID', '$id', 0, 0, ${now}, 'o')`,
    ],
  },
  reminders: {
    ...{ table: 'messages', key: 'id', done: 'remind_at is null' },
    rows: (now) => [message(now, 0)],
  },
  broadcasts: {
    ...{ table: 'broadcasts', key: 'id', done: 'done_at is not null' },
    rows: () => [`insert into broadcasts (id, kind, title, body, created_at) values ('$id', 'ACTIVITY', '', '', 0)`],
  },
  'collection expiry': {
    ...{ table: 'collection_tasks', key: 'id', done: `status = 'EXPIRED'` },
    rows: () => [task('status, changed_at, expire_at', `'CREATED', 0, 0`)],
  },
  'collection completion': {
    ...{ table: 'collection_tasks', key: 'id', done: `status = 'SUCCESS'` },
    rows: (now) => [task('status, changed_at, expire_at', `'VALUING', 0, ${now + DAY}`)],
  },
  'raw data of collections': 'changes all rows by one statement',
  'collection retention': {
    ...{ table: 'collection_tasks', key: 'id', done: 'features is null' },
    rows: () => [task('status, changed_at, expire_at, features, read_at', `'SUCCESS', 0, 0, '{}', 0`)],
  },
  'price moves': {
    ...{ table: 'reports', key: 'report_no', done: 'moved_model is not null' },
    rows: (now) => [
      order({ mode: `'AI'`, status: `'DONE'`, pay_status: `'UNPAID'`, report_no: `'$id'` }),
      `insert into reports (report_no, order_id, user_id, game_id, version, status, model_id, account_id, inputs, body,
        digest, predict_fen, created_at, valid_until) values ('$id', '$id', '$user', 'hok', 1, 'UNLOCKED', 900, '$id',
        '{"answers": {}, "source": "TYPED", "now": 0, "form": ""}', '{}', '', 100, ${now}, ${now})`,
    ],
  },
  'sale follow-ups': {
    ...{ table: 'orders', key: 'id', done: 'follow_up_at > reported_at' },
    rows: (now) => [
      order({ mode: `'AI'`, status: `'UNLOCKED'`, reported_at: now - 15 * DAY, created_at: now - 15 * DAY }),
    ],
  },
  'data exports': {
    ...{ table: 'data_exports', key: 'id', done: `status = 'READY'` },
    rows: (now) => [
      `insert into data_exports (id, user_id, status, requested_at, expire_at)
        values ('$id', '$user', 'WAITING', 0, ${now + DAY})`,
    ],
  },
  'data export expiry': {
    ...{ table: 'data_exports', key: 'id' },
    rows: () => [
      `insert into data_exports (id, user_id, status, requested_at, expire_at) values ('$id', '$user', 'FAILED', 0, 0)`,
    ],
  },
  'screenshot expiry': {
    ...{ table: 'screenshot_tasks', key: 'id' },
    rows: () => [
      `insert into screenshot_tasks (id, user_id, game_id, keys, status, created_at, expire_at)
        values ('$id', '$user', 'hok', '[]', 'DONE', 0, 0)`,
    ],
  },
  'account cancellations': {
    ...{ table: 'users', key: 'id', done: 'erased' },
    rows: () => [`update users set deletion_at = 1 where id = '$user'`],
  },
  'orphaned pictures': {
    ...{ table: 'uploads', key: 'user_id' },
    rows: () => [
      `insert into uploads (key, user_id, bytes, type, created_at) values ('u/$user/20200101/' || gen_random_uuid(), '$user', 1, 'image/png', 0)`,
    ],
  },
  'deletion outbox': {
    ...{ table: 'deletion_outbox', key: 'ref' },
    rows: () => [`insert into deletion_outbox (kind, ref, due_at) values ('READ', '$id', 0)`],
  },
  'market statistics': 'computes games by themselves, and fails for none of their rows',
  'model monitoring': 'measures models by themselves, and fails for none of their rows',
  'nightly ledger check': 'reads only',
}
