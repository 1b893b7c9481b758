create unique index concurrently if not exists provider_notices_key on provider_notices (payment_at, provider, digest)
