import { concurrentIndex, migration } from './migration'

/** How far the reports of a game were compared with its active model: the last one in order of time and number. */
export const priceMoveCursors = migration(
  `create table price_move_cursors (
    game_id text primary key, model_id bigint not null, at bigint not null, report_no text not null)`,
)

/** Orders whose report ends its validity: a week's worth of all orders, of which few are due at a time. */
export const ordersByReport = concurrentIndex(
  'orders_by_report',
  `orders (mode, status, reported_at) where status in ('REPORTED', 'UNLOCKED')`,
)

/** Orders with a begun payment. */
export const ordersToPay = concurrentIndex(
  'orders_to_pay',
  `orders (pay_expire_at) where pay_expire_at is not null and status in ('UNPAID', 'REPORTED')`,
)

/** Sales since the last training of a game. */
export const salesByArrival = concurrentIndex('sales_by_arrival', 'sales (game_id, id)')

/** Figures that are the same for every visitor, computed by one process for all (domains/reports/public-statistics.ts). */
export const publicFigures = migration(
  'create table public_figures (key text primary key, value jsonb not null, made_at bigint not null)',
)

/** Candidates of the public gallery, newest first. */
export const reportsFeatured = concurrentIndex(
  'reports_featured',
  `reports (created_at desc, game_id) where status = 'UNLOCKED' and body -> 'confidence' ->> 'level' = 'HIGH'`,
)
