import type { PayProvider, PayType, ProviderName } from './port'
import { createSandboxPay, type SandboxPay } from './sandbox'
import type { PaySettings } from './settings'

/** The providers that are set up. Their libraries are loaded when first needed: together they are half a second. */
export interface PayProviders {
  /** those that are set up */
  names: ReadonlySet<ProviderName>
  /** Who serves a pay type; undefined when nobody does. @param ios in the mini-program on iOS */
  nameOf(payType: PayType, ios: boolean): ProviderName | undefined
  /** @throws Error when it is not set up (any more) */
  get(name: ProviderName): Promise<PayProvider>
  /** only with the sandbox */
  sandbox: SandboxPay | undefined
}

interface Options {
  pay: PaySettings
  sandbox: boolean
}

const once = <T>(make: () => Promise<T>) => {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** What is not set up is served by the sandbox, but only where the server was started as one. */
export function createPayProviders({ pay, sandbox }: Options, now: () => number = Date.now): PayProviders {
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
    // purchases in the iOS shell: nobody but the sandbox stands for Apple yet
    if (payType === 'APPLE') return undefined
    if (payType === 'ALI_WAP') return alipay && 'alipay'
    if (payType === 'WX_MINI' && ios && pay.ios === 'VIRTUAL') return virtual && 'virtual'
    // what is sold is virtual goods: where it is set up, WeChat wants them to be paid for by it on every device
    if (payType === 'WX_MINI' && !ios && virtual) return 'virtual-wechat'
    const appId = payType === 'WX_MINI' ? wechat?.miniAppId : wechat?.mpAppId
    return appId ? 'wechat' : undefined
  }
  return {
    names: new Set(Object.keys(makers) as ProviderName[]),
    sandbox: stand,
    nameOf(payType, ios) {
      if (pay.ios === 'OFF' && (payType === 'APPLE' || (payType === 'WX_MINI' && ios))) return undefined
      return real(payType, ios) ?? (stand && 'sandbox')
    },
    async get(name) {
      const make = makers[name]
      if (!make) throw new Error(`the payment provider ${name} is not set up`)
      return make()
    },
  }
}
