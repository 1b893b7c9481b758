-- Broadcasts to all users, and their progress.
create table broadcasts (
  id text primary key, kind text not null check (kind in ('SYSTEM', 'ACTIVITY')), title text not null,
  body text not null, link text, created_at bigint not null, last_user text not null default '',
  sent int not null default 0, done_at bigint);
create index broadcasts_under_way on broadcasts (created_at) where done_at is null;
