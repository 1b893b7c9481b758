-- Counters by day beside the totals, and the channel of each sign-up, for the daily report.
create table hit_days (
  day bigint not null, key text not null, biz_id text not null, n integer not null, primary key (day, key, biz_id));
alter table users add column channel text not null default '';
