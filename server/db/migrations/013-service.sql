create table staff (
  staff_id text primary key, role text not null check (role in ('CONSULTANT', 'APPRAISER')), no text not null unique,
  nick text not null, avatar text not null default '', years int not null default 0,
  wecom_qr text not null default '', kf_url text not null default '', corp_id text not null default '',
  avg_reply_sec int not null default 0, game_ids jsonb not null default '[]', active boolean not null default true,
  sandbox boolean not null default false, sort int not null default 0);
create table valuation_evaluations (
  order_id text primary key references orders (id), user_id text not null, score int not null,
  accuracy text not null, speed int, service int, tags jsonb not null, content text not null, images jsonb not null,
  anonymous boolean not null, sold_fen bigint, sold_at bigint, sold_platform text, created_at bigint not null,
  addition text, addition_images jsonb, added_at bigint);
