import { View } from '@tarojs/components'
import { Button } from '@/ui/Button/Button'
import { Card } from '@/ui/Card/Card'
import { copy } from './copy'
import { AgreeSheet } from './parts/Agree'
import { Brand, Safety } from './parts/Brand'
import { CodeLine } from './parts/CodeLine'
import { MobileInput } from './parts/MobileInput'
import { NewPassword } from './parts/NewPassword'
import { useReset } from './usePassword'
import './LoginScreen.scss'
import './parts/LoginForm.scss'

/** A new password for whoever holds the phone. */
export function ResetPwdScreen() {
  const form = useReset()
  return (
    <View className='login'>
      <Brand title={copy.resetTitle} note={copy.resetWhy} />
      <Card>
        <MobileInput form={form} />
        <CodeLine form={form} onConfirm={form.submit} />
        <NewPassword
          value={form.password}
          onChange={(text) => {
            form.setPassword(text)
            form.clear('password')
          }}
          error={form.errors.password}
          mobile={form.mobile}
          onConfirm={form.submit}
        />
        <Button size='l' block loading={form.busy} className='login-submit' onClick={form.submit}>
          {copy.save}
        </Button>
      </Card>
      <AgreeSheet agreement={form.agreement} />
      <Safety />
    </View>
  )
}
