-- When the job of automatic refunds last ran, and when the clock last jumped between two passes.
alter table refund_brake add column seen_at bigint, add column jumped_at bigint;
