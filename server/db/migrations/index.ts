import { foundation } from './001-foundation'
import { orders } from './010-orders'
import { coupons } from './011-coupons'
import { messages } from './012-messages'
import { service } from './013-service'
import { payments } from './020-payments'
import { uploads } from './030-uploads'
import { authTasks } from './031-auth-tasks'
import { reports } from './045-reports'
import { models } from './046-models'
import { modelFormat } from './047-model-format'
import { gameWishes } from './048-game-wishes'
import { realName } from './050-real-name'
import { passwords } from './051-passwords'
import { feedback } from './052-feedback'
import { loginOff } from './053-login-off'
import { wechat } from './055-wechat'
import { turns } from './056-turns'
import { smsDevice } from './057-sms-device'
import { channels } from './058-channels'
import { priceMoves } from './059-price-moves'
import { desk } from './060-desk'
import { unlock } from './070-unlock'
import { shares } from './071-shares'
import { proof } from './072-proof'
import { chat } from './073-chat'
import { replyTime } from './074-reply-time'
import { banners } from './080-banners'
import { leftovers } from './090-leftovers'
import { opinions } from './091-opinions'
import { reminders } from './092-reminders'
import { recheckTicket } from './093-recheck-ticket'
import { books } from './100-books'
import { refundBrake } from './101-refund-brake'
import { jobFailures } from './102-job-failures'
import { shipping, shippingIndex } from './110-shipping'
import { accountNames } from './120-account-names'
import { deskPresence } from './121-desk-presence'
import { broadcasts } from './122-broadcasts'
import { salesTold } from './123-sales-told'
import { broadcastsWithdrawn } from './124-broadcasts-withdrawn'
import { leases } from './125-leases'
import { codeTries } from './126-code-tries'
import { embedsEnded } from './127-embeds-ended'
import {
  authTasksByUser,
  ledgerByOrder,
  messagesByTime,
  ordersByTime,
  paymentsByUser,
  refundsByPayment,
  reportsByModel,
  sessionsByExpiry,
} from './202611231800-messages-by-time'
import { saleFeeds, salesByReporter } from './202611232100-sale-feeds'
import { syntheticShare } from './202611232112-synthetic-share'
import {
  ordersByReport,
  ordersToPay,
  priceMoveCursors,
  publicFigures,
  reportsFeatured,
  salesByArrival,
} from './202611232120-due-rows'
import { dataExports, paymentsByTime } from './202611232130-data-exports'
import { estimates, opinionsByStaff } from './202611232140-estimates'
import { saleFollowups } from './202611232145-sale-followups'
import { marketFacts } from './202611232148-market-facts'
import { modelWatch } from './202611232155-model-watch'
import { orderQuestions, ordersAsked, questionsByOrder } from './202611240200-order-questions'
import { staffIntro } from './202611240210-staff-intro'
import { jobRuns } from './202611240242-job-runs'
import { signInHashes } from './202611240312-code-places'
import { saleDevices } from './202611240558-sale-devices'
import { portraits } from './202611241018-portraits'
import {
  authTasksByRead,
  deletedReceiptsByTime,
  leftMobilesByTime,
  passwordTriesByTime,
  smsCodesByTime,
} from './202611241710-purge-indexes'
import { ordersToJudge, salesJudged } from './202611241720-sales-judged'
import { heldCorrections } from './202611251920-held-corrections'
import { modelDecisions } from './202611251928-model-decisions'
import { jobSuccess } from './202611252300-job-success'
import { requiredForCollection } from './202611260243-required-for-collection'
import { changeableFactors } from './202611260400-changeable-factors'
import { collectionListing } from './202611260600-collection-listing'
import { withdrawnSales } from './202611260640-withdrawn-sales'
import { followupConsent, followupsToCheck } from './202611260641-followup-consent'
import { shiftedSales } from './202611260643-shifted-sales'
import { codesAccepted } from './202611260712-codes-accepted'
import { heldSalesByReporter, reviewsByUser } from './202611260955-held-sales-by-reporter'
import { followUpTimes, ordersToFollowUp } from './202611261018-follow-up-times'
import { refundClock } from './202611261330-refund-clock'
import type { Migration } from './migration'

/**
 * All migrations. One that has shipped is never edited: add the next one, as expand and contract (CONTRIBUTING.md,
 * "Change the database"). Times are milliseconds, money is fen.
 */
export const migrations: Record<string, Migration> = {
  '001-foundation': foundation,
  '010-orders': orders,
  '011-coupons': coupons,
  '012-messages': messages,
  '013-service': service,
  '020-payments': payments,
  '030-uploads': uploads,
  '031-auth-tasks': authTasks,
  '045-reports': reports,
  '046-models': models,
  '047-model-format': modelFormat,
  '048-game-wishes': gameWishes,
  '050-real-name': realName,
  '051-passwords': passwords,
  '052-feedback': feedback,
  '053-login-off': loginOff,
  '055-wechat': wechat,
  '056-turns': turns,
  '057-sms-device': smsDevice,
  '058-channels': channels,
  '059-price-moves': priceMoves,
  '060-desk': desk,
  '070-unlock': unlock,
  '071-shares': shares,
  '072-proof': proof,
  '073-chat': chat,
  '074-reply-time': replyTime,
  '080-banners': banners,
  '090-leftovers': leftovers,
  '091-opinions': opinions,
  '092-reminders': reminders,
  '093-recheck-ticket': recheckTicket,
  '100-books': books,
  '101-refund-brake': refundBrake,
  '102-job-failures': jobFailures,
  '110-shipping': shipping,
  '111-shipping-index': shippingIndex,
  '120-account-names': accountNames,
  '121-desk-presence': deskPresence,
  '122-broadcasts': broadcasts,
  '123-sales-told': salesTold,
  '124-broadcasts-withdrawn': broadcastsWithdrawn,
  '125-leases': leases,
  '126-code-tries': codeTries,
  '127-embeds-ended': embedsEnded,
  '202611231800-messages-by-time': messagesByTime,
  '202611231801-ledger-by-order': ledgerByOrder,
  '202611231802-payments-by-user': paymentsByUser,
  '202611231803-auth-tasks-by-user': authTasksByUser,
  '202611231804-refunds-by-payment': refundsByPayment,
  '202611231805-reports-by-model': reportsByModel,
  '202611231806-sessions-by-expiry': sessionsByExpiry,
  '202611231807-orders-by-time': ordersByTime,
  '202611232100-sale-feeds': saleFeeds,
  '202611232101-sales-by-reporter': salesByReporter,
  '202611232112-synthetic-share': syntheticShare,
  '202611232120-due-rows': priceMoveCursors,
  '202611232121-orders-by-report': ordersByReport,
  '202611232122-orders-to-pay': ordersToPay,
  '202611232123-sales-by-arrival': salesByArrival,
  '202611232124-public-figures': publicFigures,
  '202611232125-reports-featured': reportsFeatured,
  '202611232130-data-exports': dataExports,
  '202611232131-payments-by-time': paymentsByTime,
  '202611232140-estimates': estimates,
  '202611232141-opinions-by-staff': opinionsByStaff,
  '202611232145-sale-followups': saleFollowups,
  '202611232148-market-facts': marketFacts,
  '202611232155-model-watch': modelWatch,
  '202611240200-order-questions': orderQuestions,
  '202611240201-orders-asked': ordersAsked,
  '202611240202-questions-by-order': questionsByOrder,
  '202611240210-staff-intro': staffIntro,
  '202611240242-job-runs': jobRuns,
  '202611240312-code-places': signInHashes,
  '202611240558-sale-devices': saleDevices,
  '202611241018-portraits': portraits,
  '202611241710-purge-indexes': smsCodesByTime,
  '202611241711-password-tries-by-time': passwordTriesByTime,
  '202611241712-deleted-receipts-by-time': deletedReceiptsByTime,
  '202611241713-auth-tasks-by-read': authTasksByRead,
  '202611241714-left-mobiles-by-time': leftMobilesByTime,
  '202611241720-sales-judged': salesJudged,
  '202611241721-orders-to-judge': ordersToJudge,
  '202611251920-held-corrections': heldCorrections,
  '202611251928-model-decisions': modelDecisions,
  '202611252300-job-success': jobSuccess,
  '202611260243-required-for-collection': requiredForCollection,
  '202611260400-changeable-factors': changeableFactors,
  '202611260600-collection-listing': collectionListing,
  '202611260640-withdrawn-sales': withdrawnSales,
  '202611260641-followup-consent': followupConsent,
  '202611260642-followups-to-check': followupsToCheck,
  '202611260643-shifted-sales': shiftedSales,
  '202611260712-codes-accepted': codesAccepted,
  '202611260955-held-sales-by-reporter': heldSalesByReporter,
  '202611260956-reviews-by-user': reviewsByUser,
  '202611261018-follow-up-times': followUpTimes,
  '202611261019-orders-to-follow-up': ordersToFollowUp,
  '202611261330-refund-clock': refundClock,
}
