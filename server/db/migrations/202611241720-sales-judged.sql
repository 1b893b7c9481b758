-- Whether a recorded sale has been compared with the market and given to the models; sales of older releases were not.
alter table orders add column sale_judged boolean not null default false;
