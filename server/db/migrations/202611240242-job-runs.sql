-- When each background job may run next, and which process runs it now.
create table job_runs (name text primary key, holder text, next_at bigint not null);
