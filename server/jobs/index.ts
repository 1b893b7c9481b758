import { oldHits } from '../rooms/app/hits'
import { orphanedPictures } from '../rooms/app/uploads'
import { nightlyBooks } from '../rooms/books/jobs'
import { couponJobs } from '../rooms/coupon/jobs'
import { priceMoves } from '../rooms/evaluation/price-moves'
import { taskJobs } from '../rooms/evaluation/tasks/jobs'
import { demoAppraiserJob } from '../rooms/orders/demo'
import { orderJobs } from '../rooms/orders/jobs'
import { reconcile } from '../rooms/pay/ask'
import { runRefunds } from '../rooms/pay/refunds'
import { reportShipping } from '../rooms/pay/shipping'
import { removals } from '../rooms/removals'
import { broadcasts } from '../rooms/user/broadcasts'
import { oldTries } from '../rooms/user/forget'
import { eraseLeaving } from '../rooms/user/login-off'
import { oldMessages } from '../rooms/user/messages'
import { reminders } from '../rooms/user/reminders'
import { oldFailures } from './rows'
import type { Job } from './sweep'

/**
 * Everything the server does unasked, in the order of a round: what was paid is found before its order is closed, what
 * is to be paid back is decided before refunds go out.
 */
export const jobs: readonly Job[] = [
  { name: 'payments that wait', run: reconcile },
  ...orderJobs,
  { name: 'refunds', run: runRefunds },
  ...couponJobs,
  demoAppraiserJob(),
  reportShipping,
  reminders,
  broadcasts,
  oldMessages,
  oldHits,
  oldTries,
  ...taskJobs,
  priceMoves,
  eraseLeaving,
  orphanedPictures,
  removals,
  oldFailures,
  nightlyBooks,
]
