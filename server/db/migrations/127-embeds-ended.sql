-- When the owner revoked embedding of the report: embedding addresses are signed and not stored, so they cannot be
-- deleted.
alter table orders add column embeds_ended_at bigint;
