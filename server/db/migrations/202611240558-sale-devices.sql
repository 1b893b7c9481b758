-- The device a sale was told from, and what a held sale needs to be the same sale once it is accepted.
alter table sales add column device text;
alter table held_sales add column device text, add column fingerprint text;
