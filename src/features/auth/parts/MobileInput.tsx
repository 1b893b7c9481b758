import { TextInput } from '@/ui/TextInput/TextInput'
import { copy } from '../copy'
import type { SmsCodeState } from '../useSmsCode'

type Form = Pick<SmsCodeState, 'mobile' | 'changeMobile' | 'leaveMobile' | 'errors'>

/** Mobile number input, shared by all login pages. */
export function MobileInput({ form, onConfirm }: { form: Form; onConfirm?: () => void }) {
  return (
    <TextInput
      label={copy.mobile}
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
