import Taro from '@tarojs/taro'
import { device } from '../device'
import { hintOf, type PayHint, type Payments } from './port'

/** WeChat pay, or through Apple when the server signed virtual goods (`signData`). */
function requestPayment(params: Record<string, string>): Promise<PayHint> {
  return new Promise((resolve) => {
    const end = (r: TaroGeneral.CallbackResult) => resolve(hintOf(r.errMsg))
    // callbacks, because Taro promisifies neither
    const options = { ...params, success: end, fail: end }
    if (!('signData' in params)) void Taro.requestPayment(options as unknown as Taro.requestPayment.Option)
    // not supported before host version 8.0.68
    else if (Taro.canIUse('requestVirtualPayment')) Taro.requestVirtualPayment(options)
    else resolve('failed')
  })
}

export const payments: Payments = {
  env: () => (device.os() === 'ios' ? 'IOS' : 'MINI'),
  async start({ payParams }) {
    if (!payParams) return 'failed'
    return requestPayment(payParams)
  },
  returnUrl: () => undefined,
  leaveBehind: () => false,
}
