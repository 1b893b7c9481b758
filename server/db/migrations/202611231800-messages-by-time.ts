import { concurrentIndex } from './migration'

/** Indexes for jobs, erasure and the desk, which look rows up by a column that had no index: each was a scan of the whole table. */
export const messagesByTime = concurrentIndex('messages_by_time', 'messages (created_at)')
export const ledgerByOrder = concurrentIndex('ledger_by_order', 'ledger (order_id)')
export const paymentsByUser = concurrentIndex('payments_by_user', 'payments (user_id)')
export const authTasksByUser = concurrentIndex('auth_tasks_by_user', 'auth_tasks (user_id)')
export const refundsByPayment = concurrentIndex('refunds_by_payment', 'refunds (payment_id)')
export const reportsByModel = concurrentIndex('reports_by_model', 'reports (model_id)')
export const sessionsByExpiry = concurrentIndex('sessions_by_expiry', 'sessions (expires_at)')
export const ordersByTime = concurrentIndex('orders_by_time', 'orders (created_at)')
