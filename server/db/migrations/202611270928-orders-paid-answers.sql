-- the answers of a manual order as they were paid for, kept when information that was asked for first replaces them
alter table orders add column paid_answers jsonb;
