import { useState } from 'react'
import { ApiError, api, isShown } from '@/api'
import { useLoad } from '@/api/useLoad'
import { socialTypes } from '@/contract/labels'
import type { Login } from '@/contract/types'
import { wechatLogin } from '@/platform/wechatLogin'
import { copy } from './copy'
import { completeLogin } from './useLogin'
import { useSingleFlight } from './useSingleFlight'

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
 * account. `problem` says why a login failed.
 */
export function useQuickLogin(redirect: string | undefined) {
  const [problem, setProblem] = useState<string>()
  const { busy, once } = useSingleFlight<'login'>()
  const who = useLoad('wechat', fetchLinkedUser)

  const run = (request: (loginCode: string) => Promise<Login>) =>
    once('login', async () => {
      setProblem(undefined)
      const loginCode = await wechatLogin.code()
      if (loginCode === undefined) return setProblem(copy.wxFailed)
      try {
        await completeLogin(await request(loginCode), redirect)
      } catch (e) {
        if (!(e instanceof ApiError)) throw e
        if (!isShown(e)) setProblem(e.kind === 'business' ? e.msg : (e.serverMsg ?? copy.wxFailed))
      }
    })
  const state = wechatLogin.state

  return {
    problem,
    busy: busy === 'login',
    member: who.data,
    onMember: () =>
      run((code) => api.user.socialLogin({ type: socialTypes.WECHAT_MINI, code, state: state() }, { quiet: true })),
    /** @param errno of the host when it gave no code */
    async onPhone(phoneCode: string | undefined, errno?: number) {
      if (!phoneCode) return setProblem(errno === PHONE_QUOTA_USED_UP ? copy.wxUnavailable : copy.wxRefused)
      await run((loginCode) => api.user.weixinMiniAppLogin({ phoneCode, loginCode, state: state() }, { quiet: true }))
    },
  }
}

export type QuickLogin = ReturnType<typeof useQuickLogin>
