-- Orders with a begun payment.
create index concurrently if not exists orders_to_pay on orders (pay_expire_at)
  where pay_expire_at is not null and status in ('UNPAID', 'REPORTED');
