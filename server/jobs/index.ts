import { reconcile } from '../rooms/pay/ask'
import { runRefunds } from '../rooms/pay/refunds'
import { oldMessages } from '../rooms/user/messages'
import type { Job } from './sweep'

/** Everything the server does unasked, in the order of a round. */
export const jobs: readonly Job[] = [
  { name: 'payments that wait', run: reconcile },
  { name: 'refunds', run: runRefunds },
  oldMessages,
]
