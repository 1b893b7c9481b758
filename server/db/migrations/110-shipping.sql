-- When a delivery is reported to WeChat (again), and when WeChat confirmed it.
alter table payments add column ship_at bigint;
alter table payments add column shipped_at bigint;
