-- By month of the order: all events of one are in one partition. The existing table is the partition of older rows.
alter table order_events rename to order_events_older;
alter table order_events_older drop constraint order_events_pkey;
alter table order_events_older add constraint order_events_older_pkey primary key using index order_events_key;
alter index order_events_by_order rename to order_events_older_by_order;
create table order_events (like order_events_older including defaults, primary key (order_at, id))
  partition by range (order_at);
alter table order_events alter column id add generated always as identity;
select setval(pg_get_serial_sequence('order_events', 'id'), last_value + 1, false) from order_events_id_seq;
alter table order_events_older alter column id drop identity;
create index order_events_by_order on order_events (order_id);
alter table order_events add foreign key (order_id) references orders (id);
alter table order_events attach partition order_events_older for values from (minvalue) to (1);
alter table order_events_older drop constraint order_events_older;
create table order_events_default partition of order_events default;
