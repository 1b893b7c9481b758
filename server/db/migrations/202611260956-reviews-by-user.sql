create index concurrently if not exists valuation_evaluations_by_user on valuation_evaluations (user_id);
