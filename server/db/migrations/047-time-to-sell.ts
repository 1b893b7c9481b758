import { step } from './step'

export const timeToSell = step(
  // when a sale was first offered, where the source knows it: how long such accounts take to sell
  'alter table sales add column listed_at bigint check (listed_at <= at)',
  // blanks count as nothing from here on: the first start trains anew
  'update models set active = false',
)
