-- Unlocking by friends' help and by advertisements, and shared reports.
-- one row per request of the owner; whether it is open, expired or done follows from order and time
create table unlock_records (
  id text primary key, order_id text not null references orders (id) on delete cascade,
  user_id text not null references users (id) on delete cascade, nth int not null check (nth between 1 and 3),
  need int not null, got int not null default 0 check (got <= need),
  created_at bigint not null, expire_at bigint not null, owner_client text, owner_net text, unique (order_id, nth));
create index unlock_records_by_user on unlock_records (user_id);
create table unlock_helps (
  record_id text not null references unlock_records (id) on delete cascade,
  user_id text not null references users (id) on delete cascade, owner_id text not null, at bigint not null,
  primary key (record_id, user_id));
create index unlock_helps_by_user on unlock_helps (user_id, at);
create table ad_nonces (
  nonce text primary key, user_id text not null references users (id) on delete cascade, order_id text not null,
  issued_at bigint not null, expire_at bigint not null, used_at bigint);
create index ad_nonces_by_user on ad_nonces (user_id, issued_at);
-- record of the invitation a new user came by; it has no effect on the unlocking
alter table users add column invited_by text;
