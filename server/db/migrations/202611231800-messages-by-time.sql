-- Indexes for jobs, erasure and the desk, which look rows up by a column that had no index: each was a scan of the
-- whole table.
create index concurrently if not exists messages_by_time on messages (created_at);
