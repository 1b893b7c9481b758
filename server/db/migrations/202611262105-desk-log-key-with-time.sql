create unique index concurrently if not exists desk_log_key on desk_log (at, id)
