-- How far the reports of a game were compared with its active model: the last one in order of time and number.
create table price_move_cursors (
  game_id text primary key, model_id bigint not null, at bigint not null, report_no text not null);
