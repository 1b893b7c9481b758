import { type ApiError, api, isShown } from '@/api'
import { useAction } from '@/api/useAction'
import { useLoad } from '@/api/useLoad'
import { socialTypes } from '@/contract/labels'
import type { Login } from '@/contract/types'
import { wechatLogin } from '@/platform/wechatLogin'
import { copy } from './copy'
import { completeLogin } from './useLogin'

/** WeChat's error number when the app's quota of phone numbers is used up */
const PHONE_QUOTA_USED_UP = 1400001

/** Masked number of the account linked to this WeChat user (empty: without a number); undefined if there is none. */
async function fetchLinkedUser(): Promise<string | undefined> {
  const loginCode = await wechatLogin.code()
  if (loginCode === undefined) return undefined
  const { bound, mobileMasked = '' } = await api.user.queryWeixinMiniAppBind({ loginCode }, { quiet: true })
  return bound ? mobileMasked : undefined
}

/**
 * Logins of the mini-program: by the host's phone number, or without a number for a WeChat user with an
 * account. `problem` says why a login failed. WeChat is asked for a code, which identifies the user, only once the user has
 * `agreed`.
 */
export function useQuickLogin(redirect: string | undefined, agreed: boolean) {
  const { busy, failure, setFailure, run } = useAction()
  const who = useLoad(`wechat:${agreed}`, async () => (agreed ? fetchLinkedUser() : undefined))

  const textOf = (e: ApiError) =>
    isShown(e) ? undefined : e.kind === 'business' ? e.msg : (e.serverMsg ?? copy.wxFailed)
  const login = (request: (loginCode: string) => Promise<Login>) =>
    run(async () => {
      const loginCode = await wechatLogin.code()
      if (loginCode === undefined) return setFailure(copy.wxFailed)
      await completeLogin(await request(loginCode), redirect)
    }, textOf)
  const state = wechatLogin.state

  return {
    problem: failure,
    busy,
    member: who.data,
    onMember: () =>
      login((code) => api.user.socialLogin({ type: socialTypes.WECHAT_MINI, code, state: state() }, { quiet: true })),
    /** @param errno of the host when it gave no code */
    async onPhone(phoneCode: string | undefined, errno?: number) {
      if (!phoneCode) return setFailure(errno === PHONE_QUOTA_USED_UP ? copy.wxUnavailable : copy.wxRefused)
      await login((loginCode) => api.user.weixinMiniAppLogin({ phoneCode, loginCode, state: state() }, { quiet: true }))
    },
  }
}

export type QuickLogin = ReturnType<typeof useQuickLogin>
