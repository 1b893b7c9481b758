import { step } from './step'

/** Reports their owner lets others see: one live token each; a withdrawn one stays known, to say so. */
export const shares = step(
  `create table report_shares (
    token text primary key, report_no text not null references reports (report_no) on delete cascade,
    user_id text not null references users (id) on delete cascade, created_at bigint not null, revoked_at bigint)`,
  'create unique index report_shares_live on report_shares (report_no) where revoked_at is null',
  'create index report_shares_by_report on report_shares (report_no)',
  'create index report_shares_by_user on report_shares (user_id)',
)
