-- `adult_at`: ms of the 18th birthday, so that no rule has to decrypt the number.
create table real_names (
  user_id text primary key references users (id) on delete cascade,
  status text not null check (status in ('PENDING', 'PASSED', 'FAILED')),
  name_sealed text, id_no_sealed text, id_hash text, adult_at bigint, reason text,
  tries_on text not null, tries int not null, updated_at bigint not null);
create index real_names_by_id on real_names (id_hash) where status = 'PASSED';
