-- Expected price and spread of a partner's newest sales, and why a sale is held, in words.
alter table partner_shifts add column compared jsonb not null default '[]', add column why text;
alter table held_sales add column detail text;
