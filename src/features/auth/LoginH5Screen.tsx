import { View } from '@tarojs/components'
import { useState } from 'react'
import { device } from '@/platform/device'
import { nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { Button } from '@/ui/Button/Button'
import { copy } from './copy'
import { Brand, Safety } from './parts/Brand'
import { PasswordForm } from './parts/PasswordForm'
import { SmsForm } from './parts/SmsForm'
import './LoginScreen.scss'

/**
 * Login by mobile and code, or by password. Inside the mini-program, where this page is not the usual one, its own way
 * is offered too.
 */
export function LoginH5Screen({ params }: ScreenProps<'loginH5'>) {
  const [way, setWay] = useState<'sms' | 'password'>('sms')
  const other = way === 'sms' ? 'password' : 'sms'
  return (
    <View className='login'>
      <Brand title={copy.welcome} note={way === 'sms' ? copy.why : copy.whyPassword} />
      {way === 'sms' ? <SmsForm redirect={params.redirect} /> : <PasswordForm redirect={params.redirect} />}
      <View className='login__other'>
        <Button kind='ghost' onClick={() => setWay(other)}>
          {copy.ways[other]}
        </Button>
        {device.platform === 'weapp' ? (
          <Button kind='ghost' onClick={() => void nav.redirect('loginWx', params)}>
            {copy.wxTitle}
          </Button>
        ) : null}
      </View>
      <Safety />
    </View>
  )
}
