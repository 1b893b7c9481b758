import { step } from './step'

/** Rows that jobs could not work on: how often, why, and when they are tried again. */
export const jobFailures = step(
  `create table job_failures (
    job text not null, row_id text not null, attempts int not null, reason text not null, first_at bigint not null,
    last_at bigint not null, next_at bigint not null, quarantined_at bigint, primary key (job, row_id))`,
)
