import type { Req } from '@/contract/types'
import { invalid } from '../../core/app-error'
import type { UserCtx } from '../../core/context'
import { miniProgramUser } from '../accounts/login/wechat'

interface Payer {
  openid?: string
  sessionKey?: string
}

/**
 * The account's user in WeChat's browser, from the login there.
 * @throws AppError VALIDATION_FAILED at `openid` when the account never logged in by WeChat: the client then asks
 * WeChat
 */
async function webPayer({ db, userId, settings }: UserCtx, given: string | undefined): Promise<Payer> {
  const appId = settings.pay.wechat?.mpAppId
  const rows = await db
    .selectFrom('wechat_logins')
    .select('openid')
    .where('user_id', '=', userId)
    .$if(appId !== undefined, (q) => q.where('app_id', '=', appId ?? ''))
    .orderBy('created_at', 'desc')
    .execute()
  const openid = rows.find((row) => row.openid === given)?.openid ?? given ?? rows[0]?.openid
  if (openid) return { openid }
  // the sandbox's provider needs no payer
  if (!settings.pay.wechat) return {}
  throw invalid([{ path: 'openid', msg: '请先用微信授权再支付' }])
}

/**
 * The payer as known to WeChat. The mini-program proves it by a fresh login code; WeChat's browser by the openid of the
 * login. Elsewhere none is needed.
 * @throws AppError VALIDATION_FAILED: no code, or a used one · SERVICE_UNAVAILABLE: WeChat does not answer
 */
export async function payerOf(ctx: UserCtx, request: Req<'pay', 'payment'>): Promise<Payer> {
  if (request.payType === 'WX_JSAPI') return webPayer(ctx, request.openid)
  if (request.payType !== 'WX_MINI' || !ctx.settings.wechatLogin.mini)
    return request.openid ? { openid: request.openid } : {}
  const { openid, sessionKey } = await miniProgramUser(ctx, request.loginCode, '请先在微信中登录再支付')
  return { openid, sessionKey }
}
