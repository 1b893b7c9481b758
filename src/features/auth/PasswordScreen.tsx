import { View } from '@tarojs/components'
import { useCall } from '@/api/useCall'
import { Button } from '@/ui/Button/Button'
import { Card } from '@/ui/Card/Card'
import { LoadBoundary } from '@/ui/LoadBoundary/LoadBoundary'
import { Notice } from '@/ui/Notice/Notice'
import { SkeletonForm } from '@/ui/Skeleton/SkeletonPages'
import { TextInput } from '@/ui/TextInput/TextInput'
import { copy } from './copy'
import { NewPasswordField } from './parts/NewPasswordField'
import { SmsCodeField } from './parts/SmsCodeField'
import { usePasswordChange } from './usePassword'
import './parts/LoginForm.scss'

function Form({ hasPassword }: { hasPassword: boolean }) {
  const form = usePasswordChange(hasPassword)
  const other = form.proof === 'old' ? 'code' : 'old'
  return (
    <View>
      <Notice icon='shield' text={hasPassword ? copy.changeNote : copy.setNote} />
      <Card>
        {form.proof === 'old' ? (
          <TextInput
            label={copy.oldPassword}
            value={form.oldPassword}
            onChange={form.changeOld}
            placeholder={copy.passwordPlaceholder}
            password
            autoComplete='current-password'
            maxLength={64}
            error={form.errors.oldPassword}
          />
        ) : (
          <SmsCodeField form={form} onConfirm={form.submit} />
        )}
        {hasPassword ? (
          <View className='login-forgot'>
            <Button kind='ghost' size='s' onClick={() => form.setProof(other)}>
              {copy.proofs[other]}
            </Button>
          </View>
        ) : null}
        <NewPasswordField form={form} />
        <Button size='l' block loading={form.busy} className='login-submit' onClick={form.submit}>
          {copy.save}
        </Button>
      </Card>
    </View>
  )
}

/** Sets or changes the password of the account; other devices are signed out. */
export function PasswordScreen() {
  const load = useCall('user', 'get', {})
  return (
    <LoadBoundary load={load} skeleton={<SkeletonForm fields={2} />}>
      {({ hasPassword }) => <Form hasPassword={hasPassword} />}
    </LoadBoundary>
  )
}
