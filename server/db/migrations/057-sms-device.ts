import { step } from './step'

/** Keyed hash of the device's own name; `ip` holds a network now: of an IPv6 address its /64. */
export const smsDevice = step(
  'alter table sms_codes add column client text',
  'create index sms_codes_by_client on sms_codes (client, sent_at) where client is not null',
)
