create index concurrently if not exists password_tries_by_time on password_tries (since);
