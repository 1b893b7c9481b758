import type { PayProvider, PayType, ProviderName } from './port'
import { createSandboxPay } from './sandbox'
import type { PaySettings } from './settings'

const once = <T>(make: () => Promise<T>) => {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

export type PayProviders = ReturnType<typeof createPayProviders>

/**
 * The configured providers. Their libraries are loaded on first use: together they take half a second. Payment methods
 * without a provider are served by the sandbox if the server was started as one.
 */
export function createPayProviders(
  { pay, sandbox }: { pay: PaySettings; sandbox: boolean },
  now: () => number = Date.now,
) {
  const { wechat, alipay, virtual } = pay
  const stand = sandbox ? createSandboxPay() : undefined
  const makers: Partial<Record<ProviderName, () => Promise<PayProvider>>> = {
    ...(wechat && { wechat: once(async () => (await import('./wechat')).createWechatPay(wechat, now)) }),
    ...(alipay && { alipay: once(async () => (await import('./alipay')).createAlipay(alipay, now)) }),
    ...(virtual && {
      virtual: once(async () => (await import('./virtual')).createVirtualPay(virtual, { apple: true, now })),
      'virtual-wechat': once(async () => (await import('./virtual')).createVirtualPay(virtual, { apple: false, now })),
    }),
    ...(stand && { sandbox: async () => stand }),
  }
  const real = (payType: PayType, ios: boolean): ProviderName | undefined => {
    // in-app purchases of the iOS app: only the sandbox implements them so far
    if (payType === 'APPLE') return undefined
    if (payType === 'ALI_WAP') return alipay && 'alipay'
    if (payType === 'WX_MINI' && ios && pay.ios === 'VIRTUAL') return virtual && 'virtual'
    // WeChat requires virtual payment for virtual goods on every device, so it is preferred where configured
    if (payType === 'WX_MINI' && !ios && virtual) return 'virtual-wechat'
    const appId = payType === 'WX_MINI' ? wechat?.miniAppId : wechat?.mpAppId
    return appId ? 'wechat' : undefined
  }
  return {
    /** names of the configured ones */
    names: new Set(Object.keys(makers) as ProviderName[]),
    /** payments of the sandbox; undefined without it */
    sandbox: stand,
    /** Provider of a payment method; undefined if there is none. @param ios in the mini-program on iOS */
    nameOf(payType: PayType, ios: boolean): ProviderName | undefined {
      if (pay.ios === 'OFF' && (payType === 'APPLE' || (payType === 'WX_MINI' && ios))) return undefined
      return real(payType, ios) ?? (stand && 'sandbox')
    },
    /** @throws Error if it is not configured (any more) */
    async get(name: ProviderName): Promise<PayProvider> {
      const make = makers[name]
      if (!make) throw new Error(`the payment provider ${name} is not set up`)
      return make()
    },
  }
}
