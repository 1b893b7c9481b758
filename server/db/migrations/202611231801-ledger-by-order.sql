create index concurrently if not exists ledger_by_order on ledger (order_id);
