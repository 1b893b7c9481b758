import { Button } from '@/ui/Button/Button'
import { Card } from '@/ui/Card/Card'
import { copy } from '../copy'
import { useSmsLogin } from '../useLogin'
import { LoginAgreement } from './Agreement'
import { MobileInput } from './MobileInput'
import { SmsCodeField } from './SmsCodeField'
import './LoginForm.scss'

/** Mobile and code on one page. */
export function SmsForm({ redirect }: { redirect: string | undefined }) {
  const login = useSmsLogin(redirect)
  return (
    <Card>
      <MobileInput form={login} />
      <SmsCodeField form={login} onConfirm={() => login.submit()} />
      <Button size='l' block loading={login.busy} className='login-submit' onClick={() => login.submit()}>
        {login.busy ? copy.submitting : copy.submit}
      </Button>
      <LoginAgreement agreement={login.agreement} />
    </Card>
  )
}
