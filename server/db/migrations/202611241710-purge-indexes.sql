-- Indexes for purges: each was a scan of the whole table, and most of these tables grow with whoever asks for a code.
create index concurrently if not exists sms_codes_by_time on sms_codes (sent_at);
