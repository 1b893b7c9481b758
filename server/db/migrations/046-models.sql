-- what a model was trained on, to detect new sales or a new form; and why a new model was rejected
alter table models
  add column newest_sale bigint not null default 0,
  add column refused text;
-- the engine's format has changed: the first start trains again
update models set active = false;
create index models_by_game on models (game_id, id desc);
