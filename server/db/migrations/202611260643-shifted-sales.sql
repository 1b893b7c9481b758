-- Sales of a partner that were accepted before they were found shifted, so that they can be held too.
alter table partner_shifts
  add column accepted jsonb not null default '[]', add column accepted_at bigint,
  add column to_hold jsonb not null default '[]', add column hold_at bigint,
  add column held_later int not null default 0;
