-- When each job last succeeded, for all processes; of those that are known already, now is assumed.
alter table job_runs add column succeeded_at bigint;
update job_runs set succeeded_at = (extract(epoch from clock_timestamp()) * 1000)::bigint;
