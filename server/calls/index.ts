import type { TSchema } from 'typebox'
import type { CallGroup } from '@/contract/calls'
import { schemas } from '@/contract/schemas'
import type { OpenCtx } from '../core/context'
import { exportState, requestExport } from '../domains/accounts/data-export/exports'
import { readMessages } from '../domains/chat/read'
import { sendMessage } from '../domains/chat/send'
import { createScreenshotTask, screenshotTask } from '../domains/games/screenshots/tasks'
import { followUp, reportSale } from '../domains/market/follow-ups/sale-follow-up'
import { marketOfGame } from '../domains/market/statistics'
import { couponsFor } from '../domains/orders/paying/quote'
import { claimCoupon, couponsByStatus, listCentreCoupons } from '../domains/payments/coupons/centre'
import { previewPrice } from '../domains/valuations/preview'
import { appHandlers } from './app'
import { evaluationHandlers } from './evaluation'
import type { Handlers } from './handlers'
import { payHandlers } from './pay'
import { userHandlers } from './user'

/**
 * Frequent reads whose statement finds the session too (`queryWithSession`): their context has no user. All other calls
 * of users are given one before their schema is checked.
 */
export const authenticatesItself: ReadonlySet<string> = new Set(['user.get', 'evaluation.orderList'])

const handlers: { readonly [R in CallGroup]: Handlers<R> } = {
  user: userHandlers,
  evaluation: evaluationHandlers,
  app: appHandlers,
  coupon: {
    canReceive: listCentreCoupons,
    receive: (ctx, { templateId }) => claimCoupon(ctx, templateId),
    getByStatus: couponsByStatus,
    getCanUse: (ctx, { orderId }) => couponsFor(ctx, orderId),
  },
  pay: payHandlers,
  chat: { messages: readMessages, send: sendMessage },
  dataExport: { request: requestExport, get: exportState },
  market: { game: marketOfGame },
  sale: { followUp, report: reportSale },
  screenshot: { create: createScreenshotTask, get: (ctx, { taskId }) => screenshotTask(ctx, taskId) },
  pricePreview: { preview: previewPrice },
}

type Handler = (ctx: OpenCtx, req: unknown) => Promise<unknown>
const isHandler = (value: unknown): value is Handler => typeof value === 'function'
const isSchema = (value: unknown): value is TSchema => typeof value === 'object' && value !== null

/** Handler and schemas of a call by its name. @throws Error when the contract has no such call */
export function endpointOf(group: CallGroup, name: string): { handler: Handler; req: TSchema; res: TSchema } {
  const handler: unknown = Reflect.get(handlers[group], name)
  const pair: unknown = Reflect.get(schemas[group], name)
  const [req, res]: unknown[] = isSchema(pair) ? [Reflect.get(pair, 'req'), Reflect.get(pair, 'res')] : []
  if (!isHandler(handler) || !isSchema(req) || !isSchema(res)) throw new Error(`no call ${group}.${name}`)
  return { handler, req, res }
}
