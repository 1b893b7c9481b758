-- Keyed hash of the device's id; `ip` holds a network from now on: the /64 of an IPv6 address.
alter table sms_codes add column client text;
create index sms_codes_by_client on sms_codes (client, sent_at) where client is not null;
