import { step } from './step'

export const models = step(
  // what a model was trained on, so that new sales or a new form are noticed; and why a new one was not taken
  `alter table models
    add column newest_sale bigint not null default 0,
    add column refused text`,
  // the engine reads another format now: the first start trains anew
  'update models set active = false',
  'create index models_by_game on models (game_id, id desc)',
)
