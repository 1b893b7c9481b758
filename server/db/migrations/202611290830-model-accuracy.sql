-- A back-test belongs to the model that it measures, so that the published figures are always those of the model in use.
alter table models add column accuracy jsonb;
comment on column models.accuracy is 'how well it predicted sales later than its training data; null: too few to tell';
update models m set accuracy = (
  select b.result from backtests b where b.game_id = m.game_id order by b.ran_at desc limit 1) where active;
