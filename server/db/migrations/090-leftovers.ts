import { step } from './step'

/** What is left to do outside the database, and what outlives an account so that leaving it pays nothing. */
export const leftovers = step(
  // to be removed at a collector or in the storage; a row stays until that was done
  `create table removals (
    kind text not null, ref text not null, due_at bigint not null, tries int not null default 0, primary key (kind, ref))`,
  'create index removals_due on removals (due_at)',
  // keyed hashes of the numbers of erased accounts: whoever comes back is no newcomer
  'create table left_mobiles (mobile_hash text primary key, left_at bigint not null)',
  'alter table uploads add column checked_at bigint not null default 0',
  'create index uploads_by_check on uploads (checked_at)',
  'alter table unlock_helps add column client text, add column net text',
)
