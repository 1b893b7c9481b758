create index concurrently if not exists chat_messages_by_order on chat_messages (order_id, seq)
  where order_id is not null;
