-- Actual sale price and date of an order's account, as reported to staff.
alter table orders add column sold_fen bigint, add column sold_at bigint;
