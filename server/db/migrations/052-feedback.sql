-- `contact_sealed`: often a phone number, so it is encrypted like one.
create table feedback (
  id text primary key, user_id text not null references users (id) on delete cascade, type int not null,
  content text not null, images jsonb not null, contact_sealed text,
  status text not null default 'SUBMITTED' check (status in ('SUBMITTED', 'PROCESSING', 'REPLIED')),
  reply text, replied_at bigint, created_at bigint not null);
create index feedback_by_user on feedback (user_id, created_at desc);
create index feedback_waiting on feedback (created_at) where status <> 'REPLIED';
