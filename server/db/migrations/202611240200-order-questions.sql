-- Questions to the appraiser of an order, and the reasons of its re-check.
alter table orders add column asked_at bigint, add column recheck jsonb;
alter table chat_messages add column order_id text;
