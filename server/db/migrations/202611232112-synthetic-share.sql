-- Share of generated sales in what a model learned from, which is shown beside its figures.
alter table models add column synthetic_share real;
alter table backtests add column synthetic_share real;
