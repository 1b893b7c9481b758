import type { CallGroup } from '@/contract/calls'
import { appHandlers } from './app'
import { chatHandlers } from './chat'
import { couponHandlers } from './coupon'
import { dataExportHandlers } from './data-export'
import { evaluationHandlers } from './evaluation'
import type { Handlers } from './handlers'
import { marketHandlers } from './market'
import { payHandlers } from './pay'
import { pricePreviewHandlers } from './pricePreview'
import { saleHandlers } from './sale'
import { screenshotHandlers } from './screenshot'
import { userHandlers } from './user'

/**
 * Frequent reads whose statement finds the session too (`queryWithSession`): their context has no user. All other calls
 * of users are given one before their schema is checked.
 */
export const authenticatesItself: ReadonlySet<string> = new Set(['user.get', 'evaluation.orderList'])

export const handlers: { readonly [R in CallGroup]: Handlers<R> } = {
  user: userHandlers,
  evaluation: evaluationHandlers,
  app: appHandlers,
  coupon: couponHandlers,
  pay: payHandlers,
  chat: chatHandlers,
  dataExport: dataExportHandlers,
  market: marketHandlers,
  sale: saleHandlers,
  screenshot: screenshotHandlers,
  pricePreview: pricePreviewHandlers,
}
