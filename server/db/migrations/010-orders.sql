alter table orders
  add column level text,
  add column images jsonb not null default '[]',
  add column remark text not null default '',
  add column pay_type text,
  add column coupon_id text,
  add column pay_expire_at bigint,
  add column paid_at bigint,
  add column assigned_at bigint,
  add column due_at bigint,
  add column done_at bigint,
  add column cancel_reason text,
  add column appraiser_id text,
  add column info_wanted text,
  add column info_due_at bigint,
  add column refund_from text,
  add column refund_due_at bigint,
  add column refund_answer text,
  add column revalued boolean not null default false,
  add column late_coupon_at bigint,
  add column urged_at bigint,
  add column urges int not null default 0,
  add column evaluated_at bigint,
  add column deleted_at bigint;
-- orders with pending time limits; all others are in a final state
create index orders_running on orders (status)
  where status not in ('DONE', 'EXPIRED', 'REFUNDED', 'CANCELED', 'CLOSED');
alter table order_events
  add column actor text not null default 'system',
  add column note text not null default '';
