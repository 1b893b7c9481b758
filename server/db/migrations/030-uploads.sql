-- Pictures in the embedded storage, and secrets of the server.
create table uploads (
  key text primary key, user_id text not null references users (id) on delete cascade, bytes bigint not null,
  type text not null, created_at bigint not null);
create index uploads_by_user on uploads (user_id);
create table server_secrets (name text primary key, value text not null);
