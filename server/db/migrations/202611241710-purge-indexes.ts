import { concurrentIndex } from './migration'

/** Indexes for purges: each was a scan of the whole table, and most of these tables grow with whoever asks for a code. */
export const smsCodesByTime = concurrentIndex('sms_codes_by_time', 'sms_codes (sent_at)')
export const passwordTriesByTime = concurrentIndex('password_tries_by_time', 'password_tries (since)')
export const deletedReceiptsByTime = concurrentIndex('deleted_receipts_by_time', 'deleted_receipts (at)')
export const authTasksByRead = concurrentIndex('auth_tasks_by_read', 'auth_tasks (read_at) where raw is not null')
export const leftMobilesByTime = concurrentIndex('left_mobiles_by_time', 'left_mobiles (left_at)')
