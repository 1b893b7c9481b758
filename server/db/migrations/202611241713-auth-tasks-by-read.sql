create index concurrently if not exists auth_tasks_by_read on auth_tasks (read_at) where raw is not null;
