create index concurrently if not exists left_mobiles_by_time on left_mobiles (left_at);
