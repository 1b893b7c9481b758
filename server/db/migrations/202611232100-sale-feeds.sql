-- Where a sale came from, how it compares with the market, and the partners that send sales.
alter table sales
  add column listed_at bigint,
  add column channel text not null default 'IMPORT',
  add column residual real,
  add column reporter text,
  add column fingerprint text;
create table partners (
  partner_id text primary key, name text not null unique, secret_sealed text not null, created_at bigint not null,
  stopped_at bigint, pull_url text, pull_cursor text, pulled_at bigint, pull_failure text);
create table partner_sources (
  source text primary key, partner_id text not null references partners (partner_id));
create table partner_calls (
  id bigint generated always as identity primary key, partner_id text not null references partners (partner_id),
  at bigint not null, kind text not null, lines int not null, accepted int not null, known int not null,
  held int not null, refused int not null, reasons jsonb not null);
create index partner_calls_by_partner on partner_calls (partner_id, id desc);
create table partner_shifts (
  partner_id text not null references partners (partner_id), game_id text not null, residuals jsonb not null,
  changed_at bigint not null, primary key (partner_id, game_id));
create table held_sales (
  id bigint generated always as identity primary key, game_id text not null, kind text not null,
  price_fen bigint not null, at bigint not null, listed_at bigint, source text not null, external_id text not null,
  attributes jsonb not null, channel text not null, reporter text, reason text not null, market_fen bigint,
  residual real, held_at bigint not null, decided_at bigint, decided_by text, decision text, note text,
  unique (source, external_id));
create index held_sales_open on held_sales (held_at) where decided_at is null;
