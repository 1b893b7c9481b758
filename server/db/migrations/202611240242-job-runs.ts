import { migration } from './migration'

/** When each background job may run next, and which process runs it now. */
export const jobRuns = migration('create table job_runs (name text primary key, holder text, next_at bigint not null)')
