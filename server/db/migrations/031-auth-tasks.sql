-- Authorised reads: one running task per user and game, its result and its history.
create table auth_tasks (
  id text primary key, user_id text not null references users (id) on delete cascade, game_id text not null,
  login_type text not null, schema_version int not null, status text not null, lookup jsonb not null,
  ref text, webview_url text, qr text, qr_expire_at bigint, qr_refreshes int not null default 0,
  progress int not null default 0, fail_code text, order_id text references orders (id),
  raw jsonb, features jsonb, corrections jsonb, read_at bigint,
  created_at bigint not null, changed_at bigint not null, expire_at bigint not null, forgotten_at bigint);
create unique index auth_tasks_one_running on auth_tasks (user_id, game_id)
  where status in ('CREATED', 'WAIT_SCAN', 'SCANNED', 'COLLECTING', 'VALUING');
create index auth_tasks_by_order on auth_tasks (order_id);
create index auth_tasks_kept on auth_tasks (read_at) where features is not null;
create table auth_task_events (
  id bigint generated always as identity primary key, task_id text not null references auth_tasks (id) on delete cascade,
  at bigint not null, from_status text, to_status text not null);
-- links answers to the read they came from, so that they can be deleted with it
alter table orders add column auth_task_id text;
create index orders_by_auth_task on orders (auth_task_id) where auth_task_id is not null;
create index auth_task_events_by_task on auth_task_events (task_id);
