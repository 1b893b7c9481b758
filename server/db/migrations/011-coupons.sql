create table coupon_templates (
  template_id text primary key, name text not null,
  type text not null check (type in ('CASH_OFF', 'DIRECT', 'PERCENT', 'FREE')),
  amount_fen bigint not null default 0 check (amount_fen >= 0), percent int check (percent between 1 and 99),
  cap_fen bigint, threshold_fen bigint not null default 0 check (threshold_fen >= 0),
  scope text not null check (scope in ('ALL', 'AI', 'MANUAL', 'GAME')), game_ids jsonb not null default '[]',
  total int not null default -1, given int not null default 0, per_user int not null default 1,
  valid_type text not null check (valid_type in ('DATE', 'DAYS')), start_at bigint, end_at bigint, days int,
  receive_start_at bigint, receive_end_at bigint, listed boolean not null default false, sort int not null default 0,
  check (total < 0 or given <= total));
create table user_coupons (
  coupon_id text primary key, template_id text not null references coupon_templates (template_id),
  user_id text not null references users (id), nth int not null,
  status text not null check (status in ('UNUSED', 'LOCKED', 'USED', 'EXPIRED')),
  start_at bigint not null, end_at bigint not null, received_at bigint not null, used_at bigint, order_id text,
  warned boolean not null default false,
  unique (template_id, user_id, nth), check ((order_id is not null) = (status in ('LOCKED', 'USED'))));
create index user_coupons_by_user on user_coupons (user_id, status);
-- one coupon per order
create unique index user_coupons_one_per_order on user_coupons (order_id) where order_id is not null;
create index user_coupons_ending on user_coupons (end_at) where status = 'UNUSED';
