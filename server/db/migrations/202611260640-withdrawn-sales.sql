-- Prices removed because their owners withdrew the consent, so that models trained on them are trained again.
create table withdrawn_sales (
  id bigint generated always as identity primary key, game_id text not null, sale_id bigint not null,
  withdrawn_at bigint not null);
create index withdrawn_sales_by_game on withdrawn_sales (game_id, sale_id);
