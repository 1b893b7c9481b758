import { step } from './step'

/** How often somebody without a login asked for something that costs. */
export const turns = step(
  'create table turns (key text primary key, n int not null, since bigint not null)',
  'create index turns_by_age on turns (since)',
)
