-- Figures computed once a day from a game's sales: price index, what rose and fell, time to sell.
create table market_facts (game_id text primary key, body jsonb not null, made_at bigint not null);
