import { step } from './step'

/** Pictures of appraisers, by the hash of their content: public and never changed, so they need no signed address. */
export const portraits = step(`create table portraits (
  hash text primary key, type text not null, bytes bytea not null, created_at bigint not null)`)
