import { View } from '@tarojs/components'
import { useState } from 'react'
import { maskMobile } from '@/contract/mask'
import type { ScreenProps } from '@/router/page'
import { Button } from '@/ui/Button/Button'
import { Card } from '@/ui/Card/Card'
import { CodeInput } from '@/ui/CodeInput/CodeInput'
import { copy } from './copy'
import { Agree, AgreeOffer } from './parts/Agree'
import { Brand, Safety } from './parts/Brand'
import { MobileInput } from './parts/MobileInput'
import { type LoginState, useLogin } from './useLogin'
import './LoginScreen.scss'

function NumberStep({ login, onSent }: { login: LoginState; onSent: () => void }) {
  const { busy, left } = login
  const next = async () => {
    if (await login.send()) onSent()
  }
  return (
    <Card>
      <MobileInput login={login} onConfirm={() => void next()} />
      <View className='sms-step'>
        <Button size='l' block loading={busy === 'send'} disabled={left > 0} onClick={() => void next()}>
          {busy === 'send' ? copy.sending : left > 0 ? copy.wait(left) : copy.next}
        </Button>
      </View>
    </Card>
  )
}

function CodeStep({ login, onChangeNumber }: { login: LoginState; onChangeNumber: () => void }) {
  const { code, errors, busy, left, sentTo = '' } = login
  const [nudge, setNudge] = useState(0)
  const submit = () => {
    if (!login.agreed) setNudge((n) => n + 1)
    login.submit()
  }
  return (
    <Card>
      <View className='sms-step__to'>
        {copy.codeSentTo} {maskMobile(sentTo)}
      </View>
      <CodeInput
        label={copy.code}
        value={code}
        onChange={login.changeCode}
        error={errors.code}
        disabled={busy === 'login'}
        focus
      />
      <View className='sms-step__row'>
        <Button kind='ghost' size='s' onClick={onChangeNumber}>
          {copy.change}
        </Button>
        <Button kind='ghost' size='s' loading={busy === 'send'} disabled={left > 0} onClick={() => void login.send()}>
          {left > 0 ? copy.wait(left) : copy.resend}
        </Button>
      </View>
      <View className='sms-step'>
        <Button size='l' block loading={busy === 'login'} onClick={submit}>
          {busy === 'login' ? copy.submitting : copy.submit}
        </Button>
      </View>
      <Agree value={login.agreed} onChange={login.setAgreed} nudge={nudge} />
      <AgreeOffer open={login.offer} onAnswer={login.answerOffer} />
    </Card>
  )
}

/** Another number than the one WeChat knows: first the number, then six boxes for the code. */
export function LoginSmsScreen({ params }: ScreenProps<'loginWxSms'>) {
  const login = useLogin(params.redirect)
  const [step, setStep] = useState<'number' | 'code'>('number')
  return (
    <View className='login'>
      <Brand title={copy.smsTitle} note={step === 'number' ? copy.why : copy.codeHint} />
      {step === 'number' ? (
        <NumberStep login={login} onSent={() => setStep('code')} />
      ) : (
        <CodeStep login={login} onChangeNumber={() => setStep('number')} />
      )}
      <Safety />
    </View>
  )
}
