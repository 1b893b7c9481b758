-- One conversation of each user with staff. Adding a message locks its row, so that message numbers are assigned in the
-- order in which they become visible: a reader that continues after a number misses none.
create table chats (
  user_id text primary key references users (id) on delete cascade, last_seq integer not null default 0,
  user_seq integer not null default 0, staff_seq integer not null default 0, waiting_since bigint,
  told_until bigint not null default 0, seen_at bigint not null default 0, changed_at bigint not null);
create index chats_by_wait on chats (waiting_since, changed_at desc);
create table chat_messages (
  user_id text not null references users (id) on delete cascade, seq integer not null, type text not null,
  sender text not null check (sender in ('USER', 'STAFF', 'SYSTEM')), staff_id text, nick text,
  body text not null, image text, card jsonb, client_id text, waited bigint, at bigint not null,
  primary key (user_id, seq));
create unique index chat_messages_once on chat_messages (user_id, client_id) where client_id is not null;
create index chat_messages_waited on chat_messages (at desc) where waited is not null;
