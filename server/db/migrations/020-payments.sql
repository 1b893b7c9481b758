-- one attempt of one order through one channel; its amount never changes. The id is its number at the provider
create table payments (
  id text primary key, order_id text not null references orders (id), user_id text not null references users (id),
  pay_type text not null, provider text not null, amount_fen bigint not null check (amount_fen >= 0), coupon_id text,
  openid text, return_url text not null, origin text not null,
  status text not null check (status in ('CREATED', 'FAILED', 'CLOSING', 'CLOSED', 'PAID')),
  txn text, created_at bigint not null, expire_at bigint not null, paid_at bigint, asked_at bigint,
  next_ask_at bigint, asks int not null default 0,
  check ((status = 'PAID') = (txn is not null)), unique (provider, txn));
create index payments_by_order on payments (order_id, created_at);
create index payments_to_ask on payments (next_ask_at) where next_ask_at is not null;
-- every verified message of a provider, stored once however often it is sent
create table provider_notices (
  id bigint generated always as identity primary key, provider text not null, digest text not null,
  subject text not null, outcome text not null, at bigint not null, unique (provider, digest));
-- the ledger: PAY settled an order, SURPLUS came when nothing was due any more, REFUND was paid back (negative)
create table ledger (
  id bigint generated always as identity primary key, kind text not null check (kind in ('PAY', 'SURPLUS', 'REFUND')),
  order_id text not null references orders (id), payment_id text not null references payments (id),
  provider text not null, txn text not null, amount_fen bigint not null, at bigint not null,
  unique (provider, kind, txn), unique (payment_id, kind),
  check ((kind = 'REFUND') = (amount_fen < 0) or amount_fen = 0));
create unique index ledger_one_pay_per_order on ledger (order_id) where kind = 'PAY';
-- the id is the refund number at the provider, which makes requests idempotent
create table refunds (
  id text primary key, payment_id text not null references payments (id),
  order_id text not null references orders (id), amount_fen bigint not null, reason text not null,
  surplus boolean not null, status text not null check (status in ('PENDING', 'PROCESSING', 'DONE', 'FAILED')),
  tries int not null default 0, next_at bigint, provider_refund_id text, failure text, asked_at bigint not null,
  done_at bigint);
-- another attempt requires that the provider has rejected the previous one
create unique index refunds_one_live on refunds (payment_id) where status <> 'FAILED';
create index refunds_due on refunds (next_at) where next_at is not null;
create index refunds_by_order on refunds (order_id);
