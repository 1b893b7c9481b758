create unique index concurrently if not exists order_events_key on order_events (order_at, id)
