import { View } from '@tarojs/components'
import { useState } from 'react'
import { maskMobile } from '@/contract/mask'
import { normaliseMobile } from '@/contract/rules'
import type { ScreenProps } from '@/router/page'
import { isLoggedIn } from '@/session/store'
import { Button } from '@/ui/Button/Button'
import { Card } from '@/ui/Card/Card'
import { copy } from './copy'
import { LoginAgreement } from './parts/Agreement'
import { Brand, SafetyNote } from './parts/Brand'
import { CodeInput } from './parts/CodeInput'
import { MobileInput } from './parts/MobileInput'
import { SendCodeButton } from './parts/SmsCodeField'
import { type SmsLogin, useSmsLogin } from './useLogin'
import './LoginScreen.scss'

function NumberStep({ login, onSent }: { login: SmsLogin; onSent: () => void }) {
  const { sending } = login
  const next = async () => {
    if (await login.ensureSent()) onSent()
  }
  return (
    <Card>
      <MobileInput form={login} onConfirm={() => void next()} />
      <View className='sms-step'>
        <Button size='l' block loading={sending} onClick={() => void next()}>
          {sending ? copy.sending : copy.next}
        </Button>
      </View>
      <LoginAgreement agreement={login.agreement} />
    </Card>
  )
}

interface CodeStepProps {
  login: SmsLogin
  verb: string
  onChangeNumber: () => void
}

function CodeStep({ login, verb, onChangeNumber }: CodeStepProps) {
  return (
    <Card>
      <View className='sms-step__to'>
        {`${copy.codeSentTo} ${maskMobile(login.sentTo ?? normaliseMobile(login.mobile))}`}
      </View>
      <CodeInput
        label={copy.code}
        value={login.code}
        onChange={login.changeCode}
        error={login.errors.code}
        disabled={login.busy}
        focus
      />
      <View className='sms-step__row'>
        <Button kind='ghost' size='s' onClick={onChangeNumber}>
          {copy.change}
        </Button>
        <SendCodeButton form={login} />
      </View>
      <View className='sms-step'>
        <Button size='l' block loading={login.busy} onClick={() => login.submit()}>
          {login.busy ? copy.submitting : verb}
        </Button>
      </View>
    </Card>
  )
}

/**
 * Login with a number other than WeChat's: first the number, then the code. With `bind` the number is
 * bound to the logged-in account, which has none.
 */
export function LoginSmsScreen({ params }: ScreenProps<'loginWxSms'>) {
  const bind = params.bind !== undefined && isLoggedIn()
  const login = useSmsLogin(params.redirect, bind)
  const [step, setStep] = useState<'number' | 'code'>('number')
  const words = bind
    ? { title: copy.bindTitle, why: copy.bindWhy, hint: copy.bindHint, verb: copy.bindSubmit }
    : { title: copy.smsTitle, why: copy.why, hint: copy.codeHint, verb: copy.submit }
  return (
    <View className='login'>
      <Brand title={words.title} note={step === 'number' ? words.why : words.hint} />
      {step === 'number' ? (
        <NumberStep login={login} onSent={() => setStep('code')} />
      ) : (
        <CodeStep login={login} verb={words.verb} onChangeNumber={() => setStep('number')} />
      )}
      <SafetyNote />
    </View>
  )
}
