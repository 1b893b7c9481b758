-- Reports whose consent is still to be checked, see `followups/rating-prices.ts`.
create index concurrently if not exists sale_followups_to_check on sale_followups (order_id)
  where consented is null and told_at is not null;
