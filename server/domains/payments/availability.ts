import type { OpenPayStatus } from '@/contract/types'
import type { OpenCtx } from '../../core/context'
import type { PayType } from '../../providers/pay/port'

const mini: readonly PayType[] = ['WX_MINI']
const web: readonly PayType[] = ['WX_JSAPI', 'WX_H5', 'ALI_WAP']

/**
 * Whether anything is for sale to the caller: on iOS (mini-program and native app) by its own setting,
 * elsewhere once a usable payment method is configured. The iOS app also requires Apple's payment.
 */
export function saleMode({ settings, providers: { pay }, os }: OpenCtx, platform: string): OpenPayStatus['pay'] {
  const word = platform.toLowerCase()
  if (word === 'ios') return pay.nameOf('APPLE', true) ? settings.pay.ios : 'OFF'
  if (word === 'weapp' && os === 'ios') return settings.pay.ios
  const types = word === 'h5' ? web : mini
  return types.some((type) => pay.nameOf(type, false)) ? 'NORMAL' : 'OFF'
}
