create index concurrently if not exists opinions_by_staff on opinions (staff_id);
