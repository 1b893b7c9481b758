import { device } from '../device'
import { hintOf, type PayHint, type Payments } from './port'

type Host = Pick<typeof wx, 'requestPayment' | 'requestVirtualPayment'>

/** WeChat pay, or through Apple when the server signed virtual goods (`signData`). */
function ask(name: keyof Host, params: Record<string, string>): Promise<PayHint> {
  return new Promise((resolve) => {
    const end = (r: { errMsg: string }) => resolve(hintOf(r.errMsg))
    // hosts before 8.0.68 have no virtual payment
    if (!wx[name]) resolve('failed')
    else wx[name]({ ...params, success: end, fail: end })
  })
}

export const payments: Payments = {
  env: () => (device.os() === 'ios' ? 'IOS' : 'MINI'),
  async start({ payParams }) {
    if (!payParams) return 'failed'
    return ask('signData' in payParams ? 'requestVirtualPayment' : 'requestPayment', payParams)
  },
  returnUrl: () => undefined,
  leaveBehind: () => false,
}
