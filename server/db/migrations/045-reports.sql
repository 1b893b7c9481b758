-- an appraiser's report has no model; a report keeps the form it was made with, so that it can be recomputed
alter table reports
  alter column model_id drop not null,
  add column account_id text not null default '';
update reports set account_id = report_no;
create index reports_by_account on reports (user_id, game_id, account_id, created_at desc);
create table form_configs (digest text primary key, config jsonb not null);
-- how well each model version predicted later sales; `result` is the engine's Backtest
create table backtests (
  game_id text not null, model_version text not null, synthetic boolean not null, result jsonb not null,
  ran_at bigint not null, primary key (game_id, model_version));
-- the expired report this order values again for free; unique: once per report
alter table orders add column revalue_of text unique;
