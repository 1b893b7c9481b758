import { useEffect, useState } from 'react'
import { ApiError, api, isShown } from '@/api'
import { socialTypes } from '@/contract/labels'
import { wechatLogin } from '@/platform/wechatLogin'
import type { WechatReturn } from '@/platform/wechatLogin/port'
import { copy } from './copy'
import { completeLogin } from './useLogin'

/** Completes a login after the redirect back from WeChat. It is `busy` from the first render on, so that no form flashes. */
export function useWechatReturn() {
  const [answer] = useState(wechatLogin.returned)
  const [busy, setBusy] = useState(answer?.code !== undefined)
  const [problem, setProblem] = useState<string | undefined>(
    answer && answer.code === undefined ? copy.wxLost : undefined,
  )

  useEffect(() => {
    async function finish({ code = '', state, bind, back }: WechatReturn) {
      try {
        const login = await api.user.socialLogin({ type: socialTypes.WECHAT_WEB, code, state, bind }, { quiet: true })
        await completeLogin(login, back)
      } catch (e) {
        if (!(e instanceof ApiError)) throw e
        if (!isShown(e)) setProblem(e.detail)
        setBusy(false)
      }
    }
    if (answer?.code) void finish(answer)
  }, [answer])

  return { busy, problem, back: answer?.back }
}
