import { ApiError, api } from '@/api'
import { socialTypes } from '@/contract/labels'
import { wechatLogin } from '@/platform/wechatLogin'
import { dispatch, session } from '@/session/store'

/** The last renewal: each token is renewed once, however many calls fail with it. */
let last: { token: string; done: Promise<boolean> } | undefined

/**
 * Silent login of the same user through the host. Never creates an account or changes the user: the WeChat user
 * must be bound to exactly this account.
 */
async function renew(token: string): Promise<boolean> {
  const { userId } = session()
  const loginCode = await wechatLogin.code()
  if (loginCode === undefined) return false
  try {
    const who = await api.user.queryWeixinMiniAppBind({ loginCode }, { quiet: true })
    if (!who.bound || who.userId !== userId) return false
    const code = await wechatLogin.code()
    if (code === undefined) return false
    const request = { type: socialTypes.WECHAT_MINI, code, state: wechatLogin.state() }
    const login = await api.user.socialLogin(request, { quiet: true })
    // the user may have logged out or changed meanwhile
    if (login.userId !== userId || session().token !== token) return false
    dispatch({ type: 'loginRenewed', token: login.token })
    return true
  } catch (e) {
    if (!(e instanceof ApiError)) throw e
    return false
  }
}

/** @param usedToken token of the refused call; if it differs from the current one, a new login exists already */
export async function renewLogin(usedToken: string | undefined): Promise<boolean> {
  const { token } = session()
  if (usedToken === undefined || token === undefined) return false
  if (last?.token !== usedToken) {
    if (token !== usedToken) return true
    last = { token, done: renew(token) }
  }
  return last.done
}
