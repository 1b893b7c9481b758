-- When the alarm about many late orders was last raised; that about held-back refunds has its own time.
alter table refund_brake add column late_alarmed_at bigint;
