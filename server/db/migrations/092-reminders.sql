-- Reminders sent outside the app: due time, null when none is pending.
alter table messages add column remind_at bigint;
create index messages_to_remind on messages (remind_at) where remind_at is not null;
