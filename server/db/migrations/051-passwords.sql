-- Sessions get an id that may be shown to their owner. Existing ones are dropped: they were not visible before.
alter table users add column password_hash text;
create table password_tries (
  key text primary key, wrong int not null, since bigint not null);
delete from sessions;
alter table sessions add column id text not null unique, add column device text not null,
  add column seen_at bigint not null;
