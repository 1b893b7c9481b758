-- A coupon that was taken back while an order held or had used it: it expires when that order releases it.
alter table user_coupons add column withdrawn boolean not null default false;
