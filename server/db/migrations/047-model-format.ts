import { step } from './step'

export const modelFormat = step(
  // the engine reads models of its own format only: those of another count as none, and the first start trains anew
  'alter table models add column format integer not null default 0',
)
