-- The asking price that a user let us use when the valuation began with a collection.
alter table auth_tasks add column listing_fen bigint;
