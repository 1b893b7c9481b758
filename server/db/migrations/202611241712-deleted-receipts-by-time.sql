create index concurrently if not exists deleted_receipts_by_time on deleted_receipts (at);
