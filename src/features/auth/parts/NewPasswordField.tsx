import { View } from '@tarojs/components'
import { passwordTicks } from '@/contract/rules'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/Icon/Icon'
import { TextInput } from '@/ui/TextInput/TextInput'
import { copy } from '../copy'
import './NewPasswordField.scss'

interface Props {
  form: {
    password: string
    setPassword: (text: string) => void
    clear: (field: 'password') => void
    errors: { password?: string | undefined }
    submit: () => void
    /** when known, for the rule that the password must not contain it */
    mobile?: string
  }
}

/** New password. It can be revealed, so it is typed once; each rule is checked while typing. */
export function NewPasswordField({ form }: Props) {
  const { password, mobile = '' } = form
  const change = (text: string) => {
    form.setPassword(text)
    form.clear('password')
  }
  return (
    <>
      <TextInput
        label={copy.newPassword}
        value={password}
        onChange={change}
        placeholder={copy.newPasswordPlaceholder}
        password
        autoComplete='new-password'
        maxLength={64}
        error={form.errors.password}
        onConfirm={form.submit}
      />
      <View className='pwd-ticks'>
        {passwordTicks(password, mobile).map(({ label, ok }) => (
          <View key={label} className={cx('pwd-ticks__one', ok && 'pwd-ticks__one--ok')}>
            <Icon name={ok ? 'check-circle' : 'minus'} size='s' label={ok ? copy.tickOk : copy.tickOpen} />
            <View>{label}</View>
          </View>
        ))}
      </View>
    </>
  )
}
