import { Button as HostButton, View } from '@tarojs/components'
import { useRef, useState } from 'react'
import { AppError, api, isShown } from '@/api'
import { device } from '@/platform/device'
import { dialog } from '@/platform/dialog'
import { wechatLogin } from '@/platform/wechatLogin'
import { nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { Button } from '@/ui/Button/Button'
import { Notice } from '@/ui/Notice/Notice'
import { copy } from './copy'
import { LoginH5Screen } from './LoginH5Screen'
import { Agree } from './parts/Agree'
import { Brand, Safety } from './parts/Brand'
import { enter } from './useLogin'
import './LoginScreen.scss'

/** The phone number the host hands over, for a session. `problem` says why it did not work. */
function useQuickLogin(redirect: string | undefined) {
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const locked = useRef(false)

  async function login(phoneCode: string) {
    const loginCode = await wechatLogin.code()
    if (loginCode === undefined) return setProblem(copy.wxFailed)
    try {
      const request = { phoneCode, loginCode, state: wechatLogin.state() }
      await enter(await api.user.weixinMiniAppLogin(request, { quiet: ['NOT_OPEN_YET'] }), redirect)
    } catch (e) {
      if (!(e instanceof AppError)) throw e
      if (!isShown(e)) setProblem(e.code === 'NOT_OPEN_YET' ? copy.wxClosed : copy.wxFailed)
    }
  }

  async function onPhone(phoneCode: string | undefined) {
    if (locked.current) return
    if (!phoneCode) return setProblem(copy.wxRefused)
    locked.current = true
    setBusy(true)
    setProblem(undefined)
    await login(phoneCode).finally(() => {
      locked.current = false
      setBusy(false)
    })
  }

  return { problem, busy, onPhone }
}

function WechatForm({ redirect }: { redirect: string | undefined }) {
  const { problem, busy, onPhone } = useQuickLogin(redirect)
  const [agreed, setAgreed] = useState(false)
  const [nudge, setNudge] = useState(0)
  const ask = async () => {
    setNudge((n) => n + 1)
    const { agreeTitle: title, agreeBody, agreement, and, privacy, agreeYesShort, agreeNo } = copy
    const content = `${agreeBody}${agreement}${and}${privacy}`
    if (await dialog.confirm({ title, content, confirmText: agreeYesShort, cancelText: agreeNo })) setAgreed(true)
  }
  return (
    <View className='login-wx'>
      {problem ? <Notice tone='warn' text={problem} /> : null}
      <View className='login-wx__act'>
        {agreed ? (
          <HostButton
            className='login-wx__quick'
            openType='getPhoneNumber'
            disabled={busy}
            onGetPhoneNumber={(e) => void onPhone(e.detail.code)}
          >
            {busy ? copy.submitting : copy.wxQuick}
          </HostButton>
        ) : (
          <Button size='l' block onClick={() => void ask()}>
            {copy.wxQuick}
          </Button>
        )}
        <Button kind='secondary' size='l' block onClick={() => void nav.to('loginWxSms', { redirect })}>
          {copy.wxOther}
        </Button>
        <Button kind='ghost' block onClick={() => void nav.home()}>
          {copy.wxSkip}
        </Button>
      </View>
      <Agree value={agreed} onChange={setAgreed} nudge={nudge} />
    </View>
  )
}

/** Login in the mini-program: the number WeChat knows, or another one. In a browser this address shows the browser's way. */
export function LoginWxScreen({ params }: ScreenProps<'loginWx'>) {
  if (device.platform !== 'weapp') return <LoginH5Screen params={params} />
  return (
    <View className='login'>
      <Brand title={copy.wxTitle} note={copy.why} />
      <WechatForm redirect={params.redirect} />
      <Safety />
    </View>
  )
}
