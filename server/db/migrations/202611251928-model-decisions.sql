-- Why a model was put into use, refused or rolled back, with the figures that decided it.
create table model_decisions (
  id bigint generated always as identity primary key, game_id text not null, at bigint not null,
  decision text not null, rule text not null, champion_id bigint, challenger_id bigint,
  n int, days int, from_at bigint, until_at bigint, champion_error real, challenger_error real, standard_error real,
  reason text not null default '', newest_sale bigint not null);
create index model_decisions_by_game on model_decisions (game_id, id);
