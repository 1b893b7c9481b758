create table games (
  game_id text primary key, config jsonb not null, icon text not null, letter text not null, search text not null,
  hot int not null default 0, sort int not null default 0, updated_at bigint not null);
create table sales (
  id bigint generated always as identity primary key, game_id text not null,
  kind text not null check (kind in ('SOLD', 'ASKING')), price_fen bigint not null check (price_fen > 0),
  at bigint not null, source text not null, external_id text not null, attributes jsonb not null,
  unique (source, external_id));
create index sales_by_game on sales (game_id, at);
create table models (
  id bigint generated always as identity primary key, game_id text not null, body text not null,
  schema_version int not null, sample_n int not null, synthetic boolean not null, active boolean not null,
  trained_at bigint not null);
create unique index models_one_active on models (game_id) where active;
create table users (
  id text primary key, mobile text not null unique, nickname text not null, avatar text not null,
  settings jsonb not null, created_at bigint not null);
create table sessions (
  token_hash text primary key, user_id text not null references users (id) on delete cascade,
  created_at bigint not null, expires_at bigint not null);
create index sessions_by_user on sessions (user_id);
create table sms_codes (
  id bigint generated always as identity primary key, mobile text not null, scene int not null,
  code_hash text not null, ip text not null, sent_at bigint not null, expires_at bigint not null,
  wrong int not null default 0, used boolean not null default false);
create index sms_codes_by_mobile on sms_codes (mobile, sent_at);
create index sms_codes_by_ip on sms_codes (ip, sent_at);
create table orders (
  id text primary key, order_no text not null unique, user_id text not null references users (id),
  game_id text not null, mode text not null, status text not null, pay_status text not null, title text not null,
  source text not null, schema_version int not null, answers jsonb not null, request_key text not null,
  origin_fen bigint not null, discount_fen bigint not null, pay_fen bigint not null, report_no text,
  created_at bigint not null, reported_at bigint);
create index orders_by_user on orders (user_id, created_at desc);
create table reports (
  report_no text primary key, order_id text not null references orders (id), user_id text not null,
  game_id text not null, version int not null, status text not null, model_id bigint not null references models (id),
  inputs jsonb not null, body jsonb not null, predict_fen bigint not null, created_at bigint not null,
  valid_until bigint not null, unique (order_id, version));
create index reports_by_time on reports (created_at desc);
create table order_events (
  id bigint generated always as identity primary key, order_id text not null references orders (id),
  at bigint not null, from_status text, to_status text not null);
create index order_events_by_order on order_events (order_id);
create table hits (key text not null, biz_id text not null, n bigint not null, primary key (key, biz_id));
