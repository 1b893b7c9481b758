-- Rows of one person, which their account's deletion looks for; held sales of a person are also counted when they
-- report one.
create index concurrently if not exists held_sales_by_reporter on held_sales (reporter) where reporter is not null;
