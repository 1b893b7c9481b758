create index concurrently if not exists payments_by_user on payments (user_id);
