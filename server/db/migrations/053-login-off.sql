-- `off_at`: ms when a requested account erasure is carried out. `erased`: it has been carried out; the row is kept
-- for accounting.
alter table users add column off_at bigint, add column off_reason text, add column erased boolean not null default false;
create index users_leaving on users (off_at) where off_at is not null and not erased;
