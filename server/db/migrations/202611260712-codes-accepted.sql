-- When the carrier accepted a code; null before, and where older releases sent it.
alter table sms_codes add column accepted_at bigint;
