import { View } from '@tarojs/components'
import { Button } from '@/ui/Button/Button'
import { Card } from '@/ui/Card/Card'
import { copy } from './copy'
import { AgreementSheet } from './parts/Agreement'
import { Brand, SafetyNote } from './parts/Brand'
import { MobileInput } from './parts/MobileInput'
import { NewPasswordField } from './parts/NewPasswordField'
import { SmsCodeField } from './parts/SmsCodeField'
import { usePasswordReset } from './usePassword'
import './LoginScreen.scss'
import './parts/LoginForm.scss'

/** Resets the password with a code sent to the account's number. */
export function ResetPwdScreen() {
  const form = usePasswordReset()
  return (
    <View className='login'>
      <Brand title={copy.resetTitle} note={copy.resetWhy} />
      <Card>
        <MobileInput form={form} />
        <SmsCodeField form={form} onConfirm={form.submit} />
        <NewPasswordField form={form} />
        <Button size='l' block loading={form.busy} className='login-submit' onClick={form.submit}>
          {copy.save}
        </Button>
      </Card>
      <AgreementSheet agreement={form.agreement} />
      <SafetyNote />
    </View>
  )
}
