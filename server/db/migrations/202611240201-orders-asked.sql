create index concurrently if not exists orders_asked on orders (asked_at) where asked_at is not null;
