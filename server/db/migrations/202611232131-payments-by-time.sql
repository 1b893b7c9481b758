-- For the figure of payments by state of the last day.
create index concurrently if not exists payments_by_time on payments (created_at);
