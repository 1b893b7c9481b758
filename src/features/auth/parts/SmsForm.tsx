import { View } from '@tarojs/components'
import { useState } from 'react'
import { maskMobile } from '@/contract/mask'
import { Button } from '@/ui/Button/Button'
import { Card } from '@/ui/Card/Card'
import { TextInput } from '@/ui/TextInput/TextInput'
import { copy } from '../copy'
import { useLogin } from '../useLogin'
import { Agree, AgreeOffer } from './Agree'
import { MobileInput } from './MobileInput'
import './SmsForm.scss'

/** Mobile and code on one page. */
export function SmsForm({ redirect }: { redirect: string | undefined }) {
  const login = useLogin(redirect)
  const { code, errors, busy, left, sentTo } = login
  const [nudge, setNudge] = useState(0)
  const submit = () => {
    if (!login.agreed) setNudge((n) => n + 1)
    login.submit()
  }
  const send = (
    <Button kind='ghost' size='s' loading={busy === 'send'} disabled={left > 0} onClick={() => void login.send()}>
      {busy === 'send' ? copy.sending : left > 0 ? copy.wait(left) : sentTo ? copy.resend : copy.send}
    </Button>
  )
  return (
    <>
      <Card>
        <MobileInput login={login} />
        <TextInput
          label={copy.code}
          value={code}
          onChange={login.changeCode}
          placeholder={copy.codePlaceholder}
          keyboard='int'
          autoComplete='one-time-code'
          maxLength={6}
          error={errors.code}
          onConfirm={submit}
          suffix={send}
        />
        {sentTo ? <View className='sms-sent'>{copy.sent(maskMobile(sentTo))}</View> : null}
        <Button size='l' block loading={busy === 'login'} className='sms-submit' onClick={submit}>
          {busy === 'login' ? copy.submitting : copy.submit}
        </Button>
        <Agree value={login.agreed} onChange={login.setAgreed} nudge={nudge} />
      </Card>
      <AgreeOffer open={login.offer} onAnswer={login.answerOffer} />
    </>
  )
}
