-- Candidates of the public gallery, newest first.
create index concurrently if not exists reports_featured on reports (created_at desc, game_id)
  where status = 'UNLOCKED' and body -> 'confidence' ->> 'level' = 'HIGH';
