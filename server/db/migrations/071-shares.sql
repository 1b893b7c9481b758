-- Shared reports: one valid token each; a withdrawn one is kept, so that visitors can be told.
create table report_shares (
  token text primary key, report_no text not null references reports (report_no) on delete cascade,
  user_id text not null references users (id) on delete cascade, created_at bigint not null, revoked_at bigint);
create unique index report_shares_live on report_shares (report_no) where revoked_at is null;
create index report_shares_by_report on report_shares (report_no);
create index report_shares_by_user on report_shares (user_id);
