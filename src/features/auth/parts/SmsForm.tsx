import { Button } from '@/ui/Button/Button'
import { Card } from '@/ui/Card/Card'
import { copy } from '../copy'
import { useSmsLogin } from '../useLogin'
import { AgreeToLogin } from './Agree'
import { CodeLine } from './CodeLine'
import { MobileInput } from './MobileInput'
import './LoginForm.scss'

/** Mobile and code on one page. */
export function SmsForm({ redirect }: { redirect: string | undefined }) {
  const login = useSmsLogin(redirect)
  return (
    <Card>
      <MobileInput form={login} />
      <CodeLine form={login} onConfirm={() => login.submit()} />
      <Button size='l' block loading={login.busy} className='login-submit' onClick={() => login.submit()}>
        {login.busy ? copy.submitting : copy.submit}
      </Button>
      <AgreeToLogin agreement={login.agreement} />
    </Card>
  )
}
