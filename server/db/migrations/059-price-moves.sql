-- The model with which a report's price was last compared, and the price last reported to its owner; null: its own.
alter table reports add column moved_model integer;
alter table reports add column moved_fen bigint;
create index reports_to_compare on reports (game_id, created_at) where model_id is not null;
