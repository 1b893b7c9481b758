create index concurrently if not exists orders_by_time on orders (created_at);
