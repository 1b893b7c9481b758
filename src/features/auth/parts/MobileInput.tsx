import { TextInput } from '@/ui/TextInput/TextInput'
import { copy } from '../copy'
import type { SmsCodeState } from '../useSmsCode'

type Form = Pick<SmsCodeState, 'mobile' | 'changeMobile' | 'leaveMobile' | 'errors'>

interface Props {
  form: Form
  label?: string
  onConfirm?: () => void
}

/** Mobile number input, shared by all pages. */
export function MobileInput({ form, label = copy.mobile, onConfirm }: Props) {
  return (
    <TextInput
      label={label}
      value={form.mobile}
      onChange={form.changeMobile}
      onBlur={form.leaveMobile}
      placeholder={copy.mobilePlaceholder}
      keyboard='tel'
      autoComplete='tel'
      error={form.errors.mobile}
      {...(onConfirm ? { onConfirm } : {})}
    />
  )
}
