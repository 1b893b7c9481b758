create index concurrently if not exists payments_to_ship on payments (paid_at)
  where shipped_at is null and status = 'PAID' and provider = 'wechat' and pay_type = 'WX_MINI';
