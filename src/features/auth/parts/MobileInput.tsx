import { TextInput } from '@/ui/TextInput/TextInput'
import { copy } from '../copy'
import type { LoginState } from '../useLogin'

/** The number to log in with, the same on every login page. */
export function MobileInput({ login, onConfirm }: { login: LoginState; onConfirm?: () => void }) {
  return (
    <TextInput
      label={copy.mobile}
      value={login.mobile}
      onChange={login.changeMobile}
      onBlur={login.leaveMobile}
      placeholder={copy.mobilePlaceholder}
      keyboard='tel'
      autoComplete='tel'
      maxLength={17}
      error={login.errors.mobile}
      {...(onConfirm ? { onConfirm } : {})}
    />
  )
}
