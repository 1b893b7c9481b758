-- The time of the order or payment that a row is about, by which these tables are partitioned next; 0: an older row.
alter table order_events add column order_at bigint not null default 0;
alter table order_events add constraint order_events_older check (order_at < 1) not valid;
alter table provider_notices add column payment_at bigint not null default 0;
alter table provider_notices add constraint provider_notices_older check (payment_at < 1) not valid;
