-- Opinions of the two appraisers of an expert order, and the time of the single addition to a rating.
create table opinions (
  order_id text not null references orders (id) on delete cascade, version int not null,
  staff_id text not null references staff (staff_id), price_fen bigint not null, comment text not null, at bigint not null,
  primary key (order_id, version, staff_id));
alter table orders add column added_at bigint;
update orders set added_at = v.added_at from valuation_evaluations v where v.order_id = orders.id;
