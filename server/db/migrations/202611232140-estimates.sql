-- Appraisers' first estimates and drafts, and the whole of what they deliver.
create table estimates (
  order_id text not null references orders (id) on delete cascade, staff_id text not null references staff (staff_id),
  first_fen bigint, first_at bigint, draft jsonb not null default '{}', draft_at bigint,
  primary key (order_id, staff_id));
alter table opinions add column work jsonb;
alter table orders add column reassigned_at bigint;
-- reports delivered before every delivery kept an opinion, so that each appraiser's valuations are counted
insert into opinions (order_id, version, staff_id, price_fen, comment, at)
  select r.order_id, r.version, s.staff_id, r.predict_fen, coalesce(r.body -> 'appraiser' ->> 'comment', ''), r.created_at
  from reports r join orders o on o.id = r.order_id join staff s on s.no = r.body -> 'appraiser' ->> 'no'
  where o.mode = 'MANUAL' on conflict do nothing;
