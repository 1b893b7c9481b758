-- Sales after which the share of one person is limited, and the sales of a source by time.
create index concurrently if not exists sales_by_reporter on sales (reporter) where reporter is not null;
