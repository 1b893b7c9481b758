import type { OpenPayStatus } from '@/contract/types'
import type { OpenCtx } from '../../context'
import type { PayType } from '../../providers/pay/port'

const mini: readonly PayType[] = ['WX_MINI']
const web: readonly PayType[] = ['WX_JSAPI', 'WX_H5', 'ALI_WAP']

/**
 * Whether anything is for sale where the caller is (rule 4.1): the iOS mini-program by its own setting, everywhere else
 * as soon as one of the ways to pay that work there is set up.
 */
export function openPay({ settings, pay, os }: OpenCtx, platform: string): OpenPayStatus['pay'] {
  const word = platform.toLowerCase()
  const ios = word === 'ios' || (word === 'weapp' && os === 'ios')
  if (ios) return settings.pay.ios
  const types = word === 'h5' ? web : mini
  return types.some((type) => pay.nameOf(type, false)) ? 'NORMAL' : 'OFF'
}
