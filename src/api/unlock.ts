import { yuan } from '@/contract/format'
import type { PayEnv, payTypeText } from '@/contract/labels'
import type { OpenPayStatus } from '@/contract/types'
import { payments } from '@/platform/pay'
import { wechatLogin } from '@/platform/wechatLogin'
import { api } from '.'
import { useAction } from './useAction'
import { useLoad } from './useLoad'

export type UnlockMethod = 'PAY' | 'HELP' | 'AD'

/** Unlock methods the server offers in this environment; without any, no unlock button is shown. */
export function unlockMethods(status: OpenPayStatus | undefined): UnlockMethod[] {
  if (!status) return []
  const offered: Record<UnlockMethod, boolean> = {
    PAY: status.pay !== 'OFF',
    HELP: status.help,
    AD: status.ad,
  }
  return (['PAY', 'HELP', 'AD'] as const).filter((method) => offered[method])
}

/** The call requires a payment type even when the amount is zero. */
export const FREE_PAY_TYPE: { readonly [E in PayEnv]: keyof typeof payTypeText } = {
  WECHAT: 'WX_JSAPI',
  BROWSER: 'WX_H5',
  MINI: 'WX_MINI',
  IOS: 'WX_MINI',
  IOS_APP: 'APPLE',
}

/** Price of the unlock of the report, always from the server and loaded only when it is about to be shown. */
export interface UnlockPrice {
  /** text for a button */
  text: string
  /** beside the button: what the buyer agrees to by tapping it */
  agrees?: string
  /** set if a coupon covers the full price: unlocks without a cashier */
  free: ((then: () => void) => Promise<void>) | undefined
  busy: boolean
}

export function useUnlockPrice(orderId: string, wanted: boolean): UnlockPrice {
  const { busy, run } = useAction()
  const { data } = useLoad(`unlock:${orderId}:${wanted}`, async (signal) =>
    wanted ? api.pay.createAiPre({ orderId }, { quiet: true, signal }) : undefined,
  )
  if (!data) return { text: '支付解锁', free: undefined, busy }
  if (data.payFen > 0) return { text: `支付 ${yuan(data.payFen)} 解锁`, free: undefined, busy }
  // the api shows errors; paying is still possible after one
  const free = (then: () => void) =>
    run(async () => {
      const payType = FREE_PAY_TYPE[payments.env()]
      const loginCode = await wechatLogin.code()
      await api.pay.payment({ orderId, payType, couponId: data.couponId, consent: true, loginCode })
      then()
    })
  return { text: '用券免费解锁', agrees: '用券解锁即同意：解锁后优惠券不退回。', free, busy }
}

/** Whether the user has a coupon that unlocks this report for free. */
export function useFreeCoupon(orderId: string, wanted: boolean): boolean {
  const { data } = useLoad(`freeCoupon:${orderId}:${wanted}`, async (signal) =>
    wanted ? api.coupon.getCanUse({ orderId }, { quiet: true, signal }) : undefined,
  )
  return data?.usable.some(({ type }) => type === 'FREE') ?? false
}
