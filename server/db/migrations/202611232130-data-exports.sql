-- Copies of their own data that users asked for; the files are in the storage of pictures.
create table data_exports (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  status text not null check (status in ('WAITING', 'READY', 'FAILED')),
  requested_at bigint not null,
  claimed_at bigint,
  tries int not null default 0,
  key text,
  bytes bigint,
  ready_at bigint,
  expire_at bigint not null
  );
create index data_exports_by_user on data_exports (user_id, requested_at desc);
create index data_exports_waiting on data_exports (requested_at) where status = 'WAITING';
create index data_exports_by_end on data_exports (expire_at);
