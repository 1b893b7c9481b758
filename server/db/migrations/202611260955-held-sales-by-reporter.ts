import { concurrentIndex } from './migration'

/** Rows of one person, which their account's deletion looks for; held sales of a person are also counted when they report one. */
export const heldSalesByReporter = concurrentIndex(
  'held_sales_by_reporter',
  'held_sales (reporter) where reporter is not null',
)
export const reviewsByUser = concurrentIndex('valuation_evaluations_by_user', 'valuation_evaluations (user_id)')
