import { AppError, api } from '@/api'
import { socialTypes } from '@/contract/labels'
import { wechatLogin } from '@/platform/wechatLogin'
import { dispatch, session } from '@/session/store'

/** The last login that was to be renewed: each is tried once, however many calls fail with it. */
let last: { token: string; done: Promise<boolean> } | undefined

/**
 * A fresh login of the same user by the host's own. Never makes an account, and never changes who is logged in: the WeChat
 * of this phone has to be bound to just this user.
 */
async function renew(token: string): Promise<boolean> {
  const { userId } = session()
  const ask = await wechatLogin.code()
  if (ask === undefined) return false
  try {
    const who = await api.user.queryWeixinMiniAppBind({ loginCode: ask }, { quiet: true })
    if (!who.bound || who.userId !== userId) return false
    const code = await wechatLogin.code()
    if (code === undefined) return false
    const wish = { type: socialTypes.WECHAT_MINI, code, state: wechatLogin.state() }
    const login = await api.user.socialLogin(wish, { quiet: true })
    // meanwhile the user may have signed out, or in as somebody else
    if (login.userId !== userId || session().token !== token) return false
    dispatch({ type: 'loginRenewed', token: login.token })
    return true
  } catch (e) {
    if (!(e instanceof AppError)) throw e
    return false
  }
}

/** @param usedToken of the call that was refused; not today's: somebody has logged in already */
export async function renewLogin(usedToken: string | undefined): Promise<boolean> {
  const { token } = session()
  if (usedToken === undefined || token === undefined) return false
  if (last?.token !== usedToken) {
    if (token !== usedToken) return true
    last = { token, done: renew(token) }
  }
  return last.done
}
