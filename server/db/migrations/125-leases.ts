import { step } from './step'

/** What only one process at a time should do: who does it, and until when unless it says so again. */
export const leases = step('create table leases (name text primary key, holder text not null, until bigint not null)')
