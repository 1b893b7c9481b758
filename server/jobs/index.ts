import { deleteAccounts } from '../domains/accounts/account-deletion'
import { dataExportJobs } from '../domains/accounts/data-export/jobs'
import { broadcasts } from '../domains/accounts/notifications/broadcasts'
import { reminders } from '../domains/accounts/notifications/reminders'
import { purgeOrphanedPictures } from '../domains/content/uploads'
import { collectionJobs } from '../domains/games/collection/jobs'
import { endScreenshotTasks } from '../domains/games/screenshots/jobs'
import { saleFollowUps } from '../domains/market/follow-ups/send-follow-ups'
import { marketStatisticsJob } from '../domains/market/statistics'
import { monitorModels } from '../domains/models/monitoring'
import { orderJobs } from '../domains/orders/deadline-jobs'
import { nightlyLedgerCheck } from '../domains/payments/accounting/jobs'
import { couponJobs } from '../domains/payments/coupons/jobs'
import { paymentJobs } from '../domains/payments/query-payments'
import { runRefunds } from '../domains/payments/run-refunds'
import { reportShipping } from '../domains/payments/shipping'
import { processDeletions } from '../domains/shared/deletion-outbox'
import type { Job } from '../domains/shared/job'
import { demoAppraiserJob } from '../domains/staff/demo-appraiser'
import { reassignLate } from '../domains/staff/reassign-late'
import { collectedJobs } from '../domains/valuations/collected/jobs'
import { priceAlerts } from '../domains/valuations/price-alerts'
import { purges } from './purge'

/**
 * Background jobs in the order of a run: payments are found before their order is closed, refunds decided before they
 * are executed. Jobs that a person waits for have no interval.
 */
export const jobs: readonly Job[] = [
  ...paymentJobs,
  reassignLate,
  ...orderJobs,
  runRefunds,
  ...couponJobs,
  demoAppraiserJob(),
  reportShipping,
  reminders,
  broadcasts,
  ...purges,
  ...collectionJobs,
  ...collectedJobs,
  priceAlerts,
  saleFollowUps,
  marketStatisticsJob,
  monitorModels,
  deleteAccounts,
  ...dataExportJobs,
  endScreenshotTasks,
  purgeOrphanedPictures,
  processDeletions,
  nightlyLedgerCheck,
]
