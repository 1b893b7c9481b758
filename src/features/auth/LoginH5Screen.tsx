import { View } from '@tarojs/components'
import { device } from '@/platform/device'
import { nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { Button } from '@/ui/Button/Button'
import { copy } from './copy'
import { Brand, Safety } from './parts/Brand'
import { SmsForm } from './parts/SmsForm'
import './LoginScreen.scss'

/** Login by mobile and code. Inside the mini-program, where this page is not the usual one, its own way is offered too. */
export function LoginH5Screen({ params }: ScreenProps<'loginH5'>) {
  return (
    <View className='login'>
      <Brand title={copy.welcome} note={copy.why} />
      <SmsForm redirect={params.redirect} />
      {device.platform === 'weapp' ? (
        <View className='login__other'>
          <Button kind='ghost' onClick={() => void nav.redirect('loginWx', params)}>
            {copy.wxTitle}
          </Button>
        </View>
      ) : null}
      <Safety />
    </View>
  )
}
