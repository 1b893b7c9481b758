-- By month of at. The existing table becomes the default partition.
alter table desk_log rename to desk_log_default;
alter table desk_log_default drop constraint desk_log_pkey;
alter table desk_log_default add constraint desk_log_default_pkey primary key using index desk_log_key;
drop index desk_log_by_time;
create table desk_log (like desk_log_default including defaults, primary key (at, id)) partition by range (at);
alter table desk_log alter column id add generated always as identity;
select setval(pg_get_serial_sequence('desk_log', 'id'), last_value + 1, false) from desk_log_id_seq;
alter table desk_log_default alter column id drop identity;
alter table desk_log attach partition desk_log_default default;
