create index concurrently if not exists orders_to_judge on orders (id) where sold_fen is not null and not sale_judged;
