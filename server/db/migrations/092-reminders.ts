import { step } from './step'

/** Messages somebody asked to be told of outside the app: due at this time, null when that is over. */
export const reminders = step(
  'alter table messages add column remind_at bigint',
  'create index messages_to_remind on messages (remind_at) where remind_at is not null',
)
