-- Games requested by users. `name_key`: the name without spaces and case, so that duplicates count once.
create table game_wishes (
  id text primary key, user_id text not null references users (id) on delete cascade, name text not null,
  name_key text not null, platform text not null, remark text not null, created_at bigint not null,
  unique (user_id, name_key));
