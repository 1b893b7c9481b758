create unique index concurrently if not exists messages_key_with_time on messages (id, created_at)
