create table messages (
  id text primary key, user_id text not null references users (id) on delete cascade, type text not null,
  title text not null, summary text not null, body text not null, biz_type text not null, biz_id text, link text,
  read boolean not null default false, created_at bigint not null);
create index messages_by_user on messages (user_id, created_at desc);
