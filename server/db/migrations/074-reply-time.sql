-- The usual response time is computed from the answers instead of being entered.
alter table staff drop column avg_reply_sec;
