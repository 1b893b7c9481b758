import { NETWORK_TIMEOUT } from '@/contract/constants'
import type { Req } from '@/contract/types'
import type { UserCtx } from '../../context'
import { invalid, Refusal } from '../../refusal'

interface Payer {
  openid?: string
  sessionKey?: string
}

interface Session {
  openid?: string
  session_key?: string
  errcode?: number
}

/**
 * Who pays, as WeChat knows them. The mini-program proves it by a fresh login code; in WeChat's browser the openid of
 * the login is given. Everywhere else nobody asks.
 * @throws Refusal VALIDATION_FAILED: no code, or a used one · SERVICE_UNAVAILABLE: WeChat does not answer
 */
export async function payerOf(ctx: UserCtx, wish: Req<'pay', 'payment'>): Promise<Payer> {
  const { mini } = ctx.settings.pay
  if (wish.payType !== 'WX_MINI' || !mini) return wish.openid ? { openid: wish.openid } : {}
  const again = (msg: string) => invalid([{ path: 'loginCode', msg }])
  if (!wish.loginCode) throw again('请先在微信中登录再支付')
  const query = new URLSearchParams({
    appid: mini.appId,
    secret: mini.secret,
    js_code: wish.loginCode,
    grant_type: 'authorization_code',
  })
  let session: Session
  try {
    const signal = AbortSignal.timeout(NETWORK_TIMEOUT / 6)
    session = (await (await fetch(`${mini.baseUrl}/sns/jscode2session?${query}`, { signal })).json()) as Session
  } catch {
    throw new Refusal('SERVICE_UNAVAILABLE', { msg: '微信登录繁忙，请稍后再试' })
  }
  if (!session.openid || !session.session_key) throw again('微信登录已失效，请重试')
  return { openid: session.openid, sessionKey: session.session_key }
}
