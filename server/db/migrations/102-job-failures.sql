-- Rows that jobs failed to process: number of failures, reason, and time of the next retry.
create table job_failures (
  job text not null, row_id text not null, attempts int not null, reason text not null, first_at bigint not null,
  last_at bigint not null, next_at bigint not null, quarantined_at bigint, primary key (job, row_id));
