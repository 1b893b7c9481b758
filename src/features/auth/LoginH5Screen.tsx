import { View } from '@tarojs/components'
import { useState } from 'react'
import { device } from '@/platform/device'
import { nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { Button } from '@/ui/Button/Button'
import { Notice } from '@/ui/Notice/Notice'
import { copy } from './copy'
import { Brand, LoginHead, SafetyNote } from './parts/Brand'
import { PasswordForm } from './parts/PasswordForm'
import { SmsForm } from './parts/SmsForm'
import { WechatLoginButton } from './parts/WechatLoginButton'
import { useWechatReturn } from './useWechatReturn'
import './LoginScreen.scss'

/** Login by code, by password, or by WeChat in its browser; in the mini-program it also links to the login there. */
export function LoginH5Screen({ params }: ScreenProps<'loginH5'>) {
  const [method, setMethod] = useState<'sms' | 'password'>('sms')
  const wechat = useWechatReturn()
  const other = method === 'sms' ? 'password' : 'sms'
  const redirect = params.redirect ?? wechat.back
  if (wechat.busy)
    return (
      <View className='login'>
        <Brand title={copy.wxTitle} note={copy.wxReturning} />
      </View>
    )
  return (
    <View className='login'>
      <LoginHead redirect={redirect} title={copy.welcome} note={method === 'sms' ? copy.why : copy.whyPassword} />
      {wechat.problem ? <Notice tone='warn' text={wechat.problem} /> : null}
      {method === 'sms' ? <SmsForm redirect={redirect} /> : <PasswordForm redirect={redirect} />}
      <View className='login__other'>
        <WechatLoginButton back={redirect} />
        <Button kind='ghost' onClick={() => setMethod(other)}>
          {copy.methods[other]}
        </Button>
        {device.hasNativeLogin ? (
          <Button kind='ghost' onClick={() => void nav.redirect('loginWx', params)}>
            {copy.wxTitle}
          </Button>
        ) : null}
      </View>
      <SafetyNote />
    </View>
  )
}
