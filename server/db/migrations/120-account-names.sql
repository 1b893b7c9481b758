-- The owner's name for a game account, shared by all of its reports.
create table account_names (
  user_id text not null references users (id), account_id text not null, name text not null,
  primary key (user_id, account_id));
