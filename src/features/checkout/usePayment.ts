import { useRef, useState } from 'react'
import { AppError, api } from '@/api'
import type { payTypeText } from '@/contract/labels'
import type { Order } from '@/contract/types'
import { payments } from '@/platform/pay'
import { wechatLogin } from '@/platform/wechatLogin'
import { nav } from '@/router/nav'
import { buildUrl } from '@/router/params'
import { session } from '@/session/store'
import { copy } from './copy'
import { externalCashier } from './externalCashier'
import { couponIdToParam } from './model'

export type PayType = keyof typeof payTypeText

interface Options {
  order: Order
  couponId: string | undefined
  /** The order is not what this page thinks it is. */
  onStale: () => void
}

/** The server wants to know first who pays (product 2.10). */
const identityCodes = ['REALNAME_REQUIRED', 'MINOR_NOT_ALLOWED'] as const
export type IdentityRefusal = (typeof identityCodes)[number]
export const refusalOf = (e: AppError | undefined): IdentityRefusal | undefined =>
  identityCodes.find((code) => code === e?.code)

/** The page shows what is not so any more: the order, or the coupon taken off its price. */
const staleCodes: ReadonlySet<string | number> = new Set(['PAY_CLOSED', 'ORDER_STATUS_CHANGED', 'COUPON_NOT_USABLE'])

const toResult = (orderId: string) => nav.redirect('humanPaySuccess', { orderId })

/** From the tap on 支付 to what the server says about it. The host's own words only choose the next sentence. */
export function usePayment({ order, couponId, onStale }: Options) {
  const { orderId } = order
  const [busy, setBusy] = useState(false)
  const [note, setNote] = useState<string>()
  const [refused, setRefused] = useState<IdentityRefusal>()
  // an outside cashier leaves a mark on this device; the address of the page proves nothing
  const [asking, setAsking] = useState(() => externalCashier.isLeft(orderId))
  const locked = useRef(false)

  async function once(work: () => Promise<void>) {
    if (locked.current) return
    locked.current = true
    setBusy(true)
    setNote(undefined)
    try {
      await work()
    } catch (e) {
      if (!(e instanceof AppError)) throw e
      failed(e)
    } finally {
      locked.current = false
      setBusy(false)
    }
  }

  function failed(e: AppError) {
    if (e.kind === 'abort') return
    if (refusalOf(e)) return setRefused(refusalOf(e))
    // WeChat's cashier wants to know who pays, and this account has never come by WeChat: it says so and comes back
    if (e.fields?.some(({ path }) => path === 'openid') && wechatLogin.inBrowser())
      return wechatLogin.leave({
        back: buildUrl('payment', { orderId, couponId: couponIdToParam(couponId) }),
        bind: true,
      })
    if (e.code && staleCodes.has(e.code)) onStale()
    setNote(e.detail)
  }

  /** What `pay/result` says; PENDING after the person said so is told, not believed. */
  async function check() {
    const { status } = await api.pay.payResult({ orderId }, { quiet: true })
    if (status === 'PAID') {
      // the page it goes back to finds the order paid, and goes on from there
      if (externalCashier.isLeft(orderId) && payments.leaveBehind()) return status
      externalCashier.forget()
      setAsking(false)
      await toResult(orderId)
    } else if (status === 'CLOSED') {
      setAsking(false)
      onStale()
    }
    return status
  }

  const pay = (payType: PayType) =>
    once(async () => {
      const back = buildUrl('payment', { orderId, couponId: couponIdToParam(couponId) })
      const returnUrl = payments.returnUrl(back)
      // the mini-program proves who pays; a browser has no such code
      const loginCode = await wechatLogin.code()
      const start = await api.pay.payment({ orderId, payType, couponId, returnUrl, loginCode }, { quiet: true })
      // nothing to open: there was nothing to pay
      if (!start.payParams && !start.jumpUrl && !start.form) return toResult(orderId)
      if (start.jumpUrl || start.form) externalCashier.leave(orderId)
      const hint = await payments.start(start, payType === 'APPLE' ? (session().iosUserPayParams ?? {}) : undefined)
      if (hint !== 'left') externalCashier.forget()
      if (hint === 'done') await toResult(orderId)
      else if (hint === 'left') setAsking(true)
      else if ((await check()) !== 'PAID') setNote(hint === 'cancelled' ? copy.cancelled : copy.failed)
    })

  const saysDone = () =>
    once(async () => {
      const status = await check()
      // still on its way: the result page goes on asking
      if (status === 'PENDING') {
        externalCashier.forget()
        setAsking(false)
        await toResult(orderId)
      } else if (status === 'FAILED') {
        setAsking(false)
        setNote(copy.failed)
      }
    })

  const saysNot = () =>
    once(async () => {
      const status = await check()
      externalCashier.forget()
      setAsking(false)
      if (status === 'FAILED') setNote(copy.failed)
    })

  return { pay, busy, note, refused, asking, saysDone, saysNot }
}
