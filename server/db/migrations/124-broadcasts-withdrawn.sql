-- When staff withdrew a broadcast; it is not shown any more.
alter table broadcasts add column withdrawn_at bigint;
