-- Daily figures of the model in use and the one before it, on the same sales.
create table model_watch (
  game_id text not null, day bigint not null, model_id bigint not null, role text not null, n int not null,
  median_error real not null, coverage real not null, unknown_share real not null, stability real not null,
  verdict text not null, primary key (game_id, day, model_id));
