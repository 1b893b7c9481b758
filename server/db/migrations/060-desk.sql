-- Staff logins of the desk, and its audit log. Consultants are shown to users and have no login.
alter table staff drop constraint staff_role_check;
alter table staff add constraint staff_role_check check (role in ('CONSULTANT', 'APPRAISER', 'ADMIN'));
create table staff_logins (
  staff_id text primary key references staff (staff_id) on delete cascade, name text not null unique,
  password_hash text not null, must_change boolean not null, created_at bigint not null);
create table staff_sessions (
  token_hash text primary key, staff_id text not null references staff_logins (staff_id) on delete cascade,
  created_at bigint not null, expires_at bigint not null);
create index staff_sessions_by_staff on staff_sessions (staff_id);
create table desk_log (
  id bigint generated always as identity primary key, at bigint not null, staff_id text not null,
  action text not null, order_id text, subject text not null default '', note text not null default '');
create index desk_log_by_time on desk_log (at desc);
