import { concurrentIndex, migration } from './migration'

/** Questions to the appraiser of an order, and the reasons of its re-check. */
export const orderQuestions = migration(
  'alter table orders add column asked_at bigint, add column recheck jsonb',
  'alter table chat_messages add column order_id text',
)

export const ordersAsked = concurrentIndex('orders_asked', 'orders (asked_at) where asked_at is not null')

export const questionsByOrder = concurrentIndex(
  'chat_messages_by_order',
  'chat_messages (order_id, seq) where order_id is not null',
)
