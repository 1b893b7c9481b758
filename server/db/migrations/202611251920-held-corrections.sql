-- Id of the sale that a held one corrects: accepted, it goes on by that id.
alter table held_sales add column sale_id bigint;
