-- The owner's account of how a valued account was sold, and when to ask for it.
create table sale_followups (
  order_id text primary key references orders (id) on delete cascade, user_id text not null, game_id text not null,
  asked int not null default 0, outcome text, platform text not null default '', list_fen bigint, listed_at bigint,
  sold_fen bigint, sold_at bigint, image text, told_at bigint, corrected_at bigint, sale_id text, verdict text,
  coupon_id text);
create index sale_followups_by_user on sale_followups (user_id);
create index sale_followups_by_sale on sale_followups (sale_id) where sale_id is not null;
