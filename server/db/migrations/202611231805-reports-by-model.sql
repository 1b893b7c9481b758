create index concurrently if not exists reports_by_model on reports (model_id);
