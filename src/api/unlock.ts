import { yuan } from '@/contract/format'
import type { OpenPayStatus } from '@/contract/types'
import { api } from '.'
import { useLoad } from './useLoad'

export type Way = 'PAY' | 'HELP' | 'AD'

/** Ways to unlock that are open here; while none is, no button promises one. Only the mini-program has ads. */
export function waysToUnlock(status: OpenPayStatus | undefined, platform: string): Way[] {
  if (!status) return []
  const open: Record<Way, boolean> = {
    PAY: status.pay !== 'OFF',
    HELP: status.help,
    AD: status.ad && platform === 'weapp',
  }
  return (['PAY', 'HELP', 'AD'] as const).filter((way) => open[way])
}

/**
 * What the whole report costs, in the words of a button: the price of the shop, never one of our own. Asked only when it
 * is about to be shown.
 */
export function usePayText(orderId: string, wanted: boolean): string {
  const { data } = useLoad(`unlock:${orderId}:${wanted}`, async (scope) =>
    wanted ? api.pay.createAiPre({ orderId }, { quiet: true, scope }) : undefined,
  )
  if (!data) return '支付解锁'
  return data.payFen > 0 ? `支付 ${yuan(data.payFen)} 解锁` : '用优惠券免费解锁'
}
