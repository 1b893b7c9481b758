import { useState } from 'react'
import { type ApiError, api } from '@/api'
import { useAction } from '@/api/useAction'
import type { payTypeText } from '@/contract/labels'
import type { Order } from '@/contract/types'
import { payments } from '@/platform/pay'
import { wechatLogin } from '@/platform/wechatLogin'
import { nav } from '@/router/nav'
import { buildUrl } from '@/router/params'
import { useDidReturn } from '@/router/useDidReturn'
import { session } from '@/session/store'
import { copy } from './copy'
import { externalCashier } from './externalCashier'

export type PayType = keyof typeof payTypeText

interface Options {
  order: Order
  couponId: string | undefined
  /** The order has changed on the server. */
  onStale: () => void
}

/** The server requires the payer's identity first. */
const identityCodes = ['REALNAME_REQUIRED', 'MINOR_NOT_ALLOWED'] as const
export type IdentityError = (typeof identityCodes)[number]
export const identityErrorOf = (e: ApiError | undefined): IdentityError | undefined =>
  identityCodes.find((code) => code === e?.code)

/** The order or its coupon has changed since the page was loaded. */
const staleCodes: ReadonlySet<string | number> = new Set(['PAY_CLOSED', 'ORDER_STATUS_CHANGED', 'COUPON_NOT_USABLE'])

const toResult = (orderId: string) => nav.redirect('humanPaySuccess', { orderId })

/** Payment flow from tapping 支付 to the server's result. The host's result is only a hint. */
export function usePayment({ order, couponId, onStale }: Options) {
  const { orderId } = order
  const { busy, failure: note, setFailure: setNote, run } = useAction()
  const [refused, setRefused] = useState<IdentityError>()
  // returning from an external cashier is detected by a local mark, because the URL proves nothing
  const [asking, setAsking] = useState(() => externalCashier.isLeft(orderId))
  // the identity may have been verified on the page above
  useDidReturn(() => setRefused(undefined))

  const back = buildUrl('payment', { orderId })
  const once = (work: () => Promise<unknown>) =>
    run(() => {
      setRefused(undefined)
      return work()
    }, noteOf)

  function noteOf(e: ApiError): string | undefined {
    if (e.kind === 'abort') return undefined
    const identity = identityErrorOf(e)
    setRefused(identity)
    if (identity) return undefined
    // WeChat Pay needs the openid of an account that has never logged in through WeChat: fetch it and return
    if (e.fields?.some(({ path }) => path === 'openid') && wechatLogin.inBrowser()) {
      wechatLogin.leave({ back, bind: true })
      return undefined
    }
    if (e.code && staleCodes.has(e.code)) onStale()
    return e.detail
  }

  /** Queries `pay/result`; if it is still PENDING although the user reports success, the page says so. */
  async function check() {
    const { status } = await api.pay.payResult({ orderId }, { quiet: true })
    if (status === 'PAID') {
      // the previous page finds the order paid and continues from there
      if (externalCashier.isLeft(orderId) && payments.leaveBehind()) return status
      externalCashier.clear()
      setAsking(false)
      await toResult(orderId)
    } else if (status === 'CLOSED') {
      setAsking(false)
      onStale()
    }
    return status
  }

  /** To be called once the buyer has agreed to the refund rule. */
  const pay = (payType: PayType) =>
    once(async () => {
      const returnUrl = payments.returnUrl(back)
      // only the mini-program has a login code that identifies the payer
      const loginCode = await wechatLogin.code()
      const start = await api.pay.payment(
        { orderId, payType, couponId, consent: true as const, returnUrl, loginCode },
        { quiet: true },
      )
      // no cashier to open: the amount was zero
      if (!start.payParams && !start.jumpUrl && !start.form) return toResult(orderId)
      if (start.jumpUrl || start.form) externalCashier.leave(orderId)
      const hint = await payments.start(start, payType === 'APPLE' ? (session().iosUserPayParams ?? {}) : undefined)
      if (hint !== 'left') externalCashier.clear()
      if (hint === 'done') await toResult(orderId)
      else if (hint === 'left') setAsking(true)
      else if ((await check()) !== 'PAID') setNote(hint === 'cancelled' ? copy.cancelled : copy.failed)
    })

  /** The answer of a user who is back from an external cashier. One who has not paid is not asked again. */
  const answer = (done: boolean) =>
    once(async () => {
      if (!done) setAsking(false)
      const status = await check()
      if (status !== 'PENDING' && status !== 'FAILED') return
      externalCashier.clear()
      setAsking(false)
      if (status === 'FAILED') setNote(copy.failed)
      // still pending: the result page continues polling
      else if (done) await toResult(orderId)
    })

  return { pay, busy, note, refused, asking, answer }
}
