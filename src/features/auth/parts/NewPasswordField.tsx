import { View } from '@tarojs/components'
import { passwordTicks } from '@/contract/rules'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/Icon/Icon'
import { TextInput } from '@/ui/TextInput/TextInput'
import { copy } from '../copy'
import './NewPasswordField.scss'

interface Props {
  value: string
  onChange: (value: string) => void
  error: string | undefined
  /** when known, for the rule that the password must not contain it */
  mobile?: string
  onConfirm: () => void
}

/** New password. It can be revealed, so it is typed once; each rule is checked while typing. */
export function NewPasswordField({ value, onChange, error, mobile = '', onConfirm }: Props) {
  return (
    <>
      <TextInput
        label={copy.newPassword}
        value={value}
        onChange={onChange}
        placeholder={copy.newPasswordPlaceholder}
        password
        autoComplete='new-password'
        maxLength={20}
        error={error}
        onConfirm={onConfirm}
      />
      <View className='pwd-ticks'>
        {passwordTicks(value, mobile).map(({ label, ok }) => (
          <View key={label} className={cx('pwd-ticks__one', ok && 'pwd-ticks__one--ok')}>
            <Icon name={ok ? 'check-circle' : 'minus'} size='s' label={ok ? copy.tickOk : copy.tickOpen} />
            <View>{label}</View>
          </View>
        ))}
      </View>
    </>
  )
}
