-- Orders whose report ends its validity: a week's worth of all orders, of which few are due at a time.
create index concurrently if not exists orders_by_report on orders (mode, status, reported_at)
  where status in ('REPORTED', 'UNLOCKED');
