import { View } from '@tarojs/components'
import { nav } from '@/router/nav'
import { Button } from '@/ui/Button/Button'
import { Card } from '@/ui/Card/Card'
import { TextInput } from '@/ui/TextInput/TextInput'
import { copy } from '../copy'
import { usePasswordLogin } from '../useLogin'
import { LoginAgreement } from './Agreement'
import { MobileInput } from './MobileInput'
import './LoginForm.scss'

/** Login by mobile and password. */
export function PasswordForm({ redirect }: { redirect: string | undefined }) {
  const login = usePasswordLogin(redirect)
  return (
    <Card>
      <MobileInput form={login} />
      <TextInput
        label={copy.password}
        value={login.password}
        onChange={login.changePassword}
        placeholder={copy.passwordPlaceholder}
        password
        autoComplete='current-password'
        maxLength={64}
        error={login.errors.password}
        onConfirm={login.submit}
      />
      <View className='login-forgot'>
        <Button kind='ghost' size='s' onClick={() => void nav.to('loginH5ResetPwd')}>
          {copy.forgot}
        </Button>
      </View>
      <Button size='l' block loading={login.busy} className='login-submit' onClick={login.submit}>
        {login.busy ? copy.submitting : copy.submit}
      </Button>
      <LoginAgreement agreement={login.agreement} />
    </Card>
  )
}
