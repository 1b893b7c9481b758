import { keysOf, type PayEnv, payEnvText } from '@/contract/labels'
import { PAYMENT_PAGE } from '@/contract/pages'
import type { Req, Res } from '@/contract/types'
import { invalid } from '../../../core/app-error'
import type { UserCtx } from '../../../core/context'
import { type PayType, type ProviderName, VIRTUAL_MIN_FEN } from '../../../providers/pay/port'
import { pageLink } from '../../shared/page-link'
import { ownOrder } from '../own-order'
import { assertPayable } from './lock-price'

/** Payment methods usable in each environment: WeChat's browser only allows its own. */
const fitting: { readonly [E in PayEnv]: readonly PayType[] } = {
  WECHAT: ['WX_JSAPI'],
  BROWSER: ['WX_H5', 'ALI_WAP'],
  MINI: ['WX_MINI'],
  IOS: ['WX_MINI'],
  IOS_APP: ['APPLE'],
}

const notes: { readonly [T in PayType]: string } = {
  WX_JSAPI: '',
  WX_H5: '将打开微信完成支付',
  WX_MINI: '',
  ALI_WAP: '将打开支付宝完成支付',
  APPLE: '由 Apple 收款，退款需向 Apple 申请',
}

const providerNotes: Partial<Record<ProviderName, string>> = {
  virtual: '由 Apple 收款，退款需向 Apple 申请',
  sandbox: '沙箱，不会真实扣款',
}

/** Environment reported by the client; an unknown value counts as an ordinary browser. */
const envOf = (word: string): PayEnv => keysOf(payEnvText).find((e) => e === word.toUpperCase()) ?? 'BROWSER'

/**
 * Payment methods that are configured and usable for the caller, the first one being the default.
 * @throws AppError NOT_FOUND, PAY_CLOSED, ORDER_STATUS_CHANGED
 */
export async function payType(
  { providers: { pay }, db, userId, clock }: UserCtx,
  { orderId, env: word }: Req<'pay', 'payType'>,
): Promise<Res<'pay', 'payType'>> {
  const order = await ownOrder({ db, userId }, orderId)
  assertPayable(order, clock.now())
  const env = envOf(word)
  const served = fitting[env].flatMap((type) => {
    const name = pay.nameOf(type, env === 'IOS')
    return name ? [{ type, note: providerNotes[name] ?? notes[type] }] : []
  })
  return served.map((offer, i) => ({ ...offer, default: i === 0 }))
}

const isVirtual = (name: ProviderName) => name === 'virtual' || name === 'virtual-wechat'

/**
 * The caller's environment, by request headers. An openid proves WeChat, which gives it to nobody else. The iOS app
 * looks like a browser, and only there Apple's payment is requested.
 */
function placeOf({ platform, os, userAgent }: UserCtx, payType: PayType, openid: string | undefined): PayEnv {
  if (platform === 'weapp') return os === 'ios' ? 'IOS' : 'MINI'
  if (payType === 'APPLE') return 'IOS_APP'
  return /MicroMessenger/i.test(userAgent) || openid ? 'WECHAT' : 'BROWSER'
}

/**
 * Selects the payment provider.
 * @throws AppError VALIDATION_FAILED: the method is not usable here, not configured, or does not take this amount
 */
export function providerFor(
  ctx: UserCtx,
  { payType, openid }: { payType: PayType; openid?: string | undefined },
  amountFen: number,
): ProviderName {
  const place = placeOf(ctx, payType, openid)
  const refuse = (msg: string) => invalid([{ path: 'payType', msg }])
  if (!fitting[place].includes(payType)) throw refuse(`${payEnvText[place]}不支持这种支付方式，请换一种`)
  const name = ctx.providers.pay.nameOf(payType, place === 'IOS')
  if (!name) throw refuse('这种支付方式尚未开通，请换一种')
  if (isVirtual(name) && amountFen < VIRTUAL_MIN_FEN) throw refuse('小程序内支付最低 1 元，请不使用优惠券')
  if (isVirtual(name) && !ctx.settings.pay.virtual?.products[amountFen])
    throw refuse('小程序内暂不支持这个金额，请不使用优惠券')
  return name
}

/** @throws AppError VALIDATION_FAILED for a return address on another site (open redirect) */
export function returnUrlOf({ origin, settings }: UserCtx, given: string | undefined, orderId: string): string {
  const wanted = given ?? pageLink(PAYMENT_PAGE, { orderId })
  const url = URL.canParse(wanted, origin) ? new URL(wanted, origin) : undefined
  const local = settings.sandbox && /^(localhost|127\.0\.0\.1)$/.test(url?.hostname ?? '')
  if (!url || !/^https?:$/.test(url.protocol) || !(url.origin === origin || local))
    throw invalid([{ path: 'returnUrl', msg: '返回地址不属于本站' }])
  return url.href
}
