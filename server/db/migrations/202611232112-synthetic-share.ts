import { step } from './step'

/** Share of generated sales in what a model learned from, which is shown beside its figures. */
export const syntheticShare = step(
  'alter table models add column synthetic_share real',
  'alter table backtests add column synthetic_share real',
)
