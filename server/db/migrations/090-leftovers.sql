-- Pending deletions outside the database, and hashes that outlive an account so that re-registering brings no
-- advantage.
-- to be deleted at a collector or in the storage; a row exists until that is done
create table removals (
  kind text not null, ref text not null, due_at bigint not null, tries int not null default 0, primary key (kind, ref));
create index removals_due on removals (due_at);
-- keyed hashes of the mobile numbers of erased accounts: a returning user is not treated as new
create table left_mobiles (mobile_hash text primary key, left_at bigint not null);
alter table uploads add column checked_at bigint not null default 0;
create index uploads_by_check on uploads (checked_at);
alter table unlock_helps add column client text, add column net text;
