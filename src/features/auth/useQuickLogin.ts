import { useState } from 'react'
import { AppError, api, isShown } from '@/api'
import { useLoad } from '@/api/useLoad'
import { socialTypes } from '@/contract/labels'
import type { Login } from '@/contract/types'
import { wechatLogin } from '@/platform/wechatLogin'
import { copy } from './copy'
import { completeLogin } from './useLogin'
import { useSingleFlight } from './useSingleFlight'

/** Who this WeChat is here: the masked number of its account (empty: one without), undefined for a newcomer. */
async function fetchLinkedAccount(): Promise<string | undefined> {
  const loginCode = await wechatLogin.code()
  if (loginCode === undefined) return undefined
  const { bound, mobileMasked = '' } = await api.user.queryWeixinMiniAppBind({ loginCode }, { quiet: true })
  return bound ? mobileMasked : undefined
}

/**
 * The mini-program's own logins: the phone number the host hands over, and no number at all for a WeChat that has an
 * account. `problem` says why it did not work.
 */
export function useQuickLogin(redirect: string | undefined) {
  const [problem, setProblem] = useState<string>()
  const { busy, once } = useSingleFlight<'login'>()
  const who = useLoad('wechat', fetchLinkedAccount)

  const run = (ask: (loginCode: string) => Promise<Login>) =>
    once('login', async () => {
      setProblem(undefined)
      const loginCode = await wechatLogin.code()
      if (loginCode === undefined) return setProblem(copy.wxFailed)
      try {
        await completeLogin(await ask(loginCode), redirect)
      } catch (e) {
        if (!(e instanceof AppError)) throw e
        if (!isShown(e)) setProblem(e.kind === 'business' ? e.msg : (e.serverMsg ?? copy.wxFailed))
      }
    })
  const state = wechatLogin.state

  return {
    problem,
    busy: busy === 'login',
    known: who.data,
    onKnown: () =>
      run((code) => api.user.socialLogin({ type: socialTypes.WECHAT_MINI, code, state: state() }, { quiet: true })),
    async onPhone(phoneCode: string | undefined) {
      if (!phoneCode) return setProblem(copy.wxRefused)
      await run((loginCode) => api.user.weixinMiniAppLogin({ phoneCode, loginCode, state: state() }, { quiet: true }))
    },
  }
}

export type QuickLogin = ReturnType<typeof useQuickLogin>
