create index concurrently if not exists auth_tasks_by_user on auth_tasks (user_id);
