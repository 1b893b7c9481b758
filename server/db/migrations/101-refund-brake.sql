-- Automatic refunds counted by the refund brake, and the one row whose lock serialises the counting.
create table automatic_refunds (
  id bigint generated always as identity primary key, order_id text not null, amount_fen bigint not null, at bigint not null);
create index automatic_refunds_by_time on automatic_refunds (at);
create table refund_brake (
  id int primary key check (id = 1), alarmed_at bigint, allowed_at bigint,
  allowed_count bigint not null default 0, allowed_fen bigint not null default 0);
insert into refund_brake (id) values (1);
