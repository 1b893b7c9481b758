-- Which processes work on the job queue, in the database's time: jobs locked by others are given back.
create table job_workers (id text primary key, seen_at bigint not null);
-- Jobs are no longer leased here, only their last success is kept; holder and next_at are dropped by a later release.
alter table job_runs alter column next_at set default 0;
