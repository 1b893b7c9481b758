-- When the owner is next asked about the sale (`followups/send-follow-ups.ts`); the previous release leaves it null.
alter table orders add column follow_up_at bigint;
