-- By month of the payment: a message is stored once however often it is sent, because it is about one payment.
alter table provider_notices rename to provider_notices_older;
alter table provider_notices_older drop constraint provider_notices_pkey;
alter table provider_notices_older
  add constraint provider_notices_older_pkey primary key using index provider_notices_key;
create table provider_notices
  (like provider_notices_older including defaults, primary key (payment_at, provider, digest))
  partition by range (payment_at);
alter table provider_notices alter column id add generated always as identity;
select setval(pg_get_serial_sequence('provider_notices', 'id'), last_value + 1, false) from provider_notices_id_seq;
alter table provider_notices_older alter column id drop identity;
alter table provider_notices attach partition provider_notices_older for values from (minvalue) to (1);
alter table provider_notices_older drop constraint provider_notices_older;
create table provider_notices_default partition of provider_notices default;
