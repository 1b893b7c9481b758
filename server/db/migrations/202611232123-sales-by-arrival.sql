-- Sales since the last training of a game.
create index concurrently if not exists sales_by_arrival on sales (game_id, id);
