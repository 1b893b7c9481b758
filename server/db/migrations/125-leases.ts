import { migration } from './migration'

/** Leases for work that only one process at a time should do: holder and expiry. */
export const leases = migration(
  'create table leases (name text primary key, holder text not null, until bigint not null)',
)
