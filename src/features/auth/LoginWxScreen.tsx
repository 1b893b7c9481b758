import { Button as HostButton, View } from '@tarojs/components'
import { useState } from 'react'
import { device } from '@/platform/device'
import { dialog } from '@/platform/dialog'
import { nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { Button } from '@/ui/Button/Button'
import { cx } from '@/ui/cx'
import { Notice } from '@/ui/Notice/Notice'
import { copy } from './copy'
import { LoginH5Screen } from './LoginH5Screen'
import { Agree } from './parts/Agree'
import { Brand, Safety } from './parts/Brand'
import { useQuickLogin } from './useQuickLogin'
import './LoginScreen.scss'

function WechatForm({ redirect }: { redirect: string | undefined }) {
  const { problem, busy, known, onPhone, onKnown } = useQuickLogin(redirect)
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
        {known === undefined ? null : (
          <Button size='l' block loading={busy} onClick={() => void (agreed ? onKnown() : ask())}>
            {copy.wxAs(known)}
          </Button>
        )}
        {agreed ? (
          <HostButton
            className={cx('login-wx__quick', known !== undefined && 'login-wx__quick--second')}
            openType='getPhoneNumber'
            disabled={busy}
            onGetPhoneNumber={(e) => void onPhone(e.detail.code)}
          >
            {busy ? copy.submitting : copy.wxQuick}
          </HostButton>
        ) : (
          <Button kind={known === undefined ? 'primary' : 'secondary'} size='l' block onClick={() => void ask()}>
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
