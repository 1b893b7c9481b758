-- The recheck ticket given after a complaint about an order: it is revoked when the order is refunded.
alter table orders add column ticket_id text;
