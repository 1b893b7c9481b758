create index concurrently if not exists orders_to_follow_up on orders (coalesce(follow_up_at, reported_at + 604800000))
  where reported_at is not null;
