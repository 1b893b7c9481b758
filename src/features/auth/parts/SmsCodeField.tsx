import { View } from '@tarojs/components'
import { smsCodeOf } from '@/contract/cleanText'
import { maskMobile } from '@/contract/mask'
import { Button } from '@/ui/Button/Button'
import { TextInput } from '@/ui/TextInput/TextInput'
import { copy } from '../copy'
import type { SmsCodeState } from '../useSmsCode'
import './SmsCodeField.scss'

type Form = Pick<SmsCodeState, 'code' | 'errors' | 'sending' | 'left' | 'sentTo' | 'send'> & {
  changeCode: (text: string) => unknown
}

/** Sends a code, or shows the countdown until the next one. */
export function SendCodeButton({ form, about = '' }: { form: Omit<Form, 'code' | 'changeCode'>; about?: string }) {
  const { sending, left, sentTo } = form
  const text = sending ? copy.sending : left > 0 ? copy.wait(left) : sentTo !== undefined ? copy.resend : copy.send
  return (
    <Button
      kind='ghost'
      size='s'
      label={text + about}
      loading={sending}
      disabled={left > 0}
      onClick={() => void form.send()}
    >
      {text}
    </Button>
  )
}

interface Props {
  form: Form
  /** where there are several */
  label?: string
  onConfirm: () => void
}

/** SMS code input with its send button. */
export function SmsCodeField({ form, label, onConfirm }: Props) {
  return (
    <>
      <TextInput
        label={label ?? copy.code}
        value={form.code}
        onChange={form.changeCode}
        placeholder={copy.codePlaceholder}
        keyboard='int'
        autoComplete='one-time-code'
        clean={smsCodeOf}
        maxLength={6}
        error={form.errors.code}
        focus={form.sentTo !== undefined}
        onConfirm={onConfirm}
        suffix={<SendCodeButton form={form} about={label && `，${label}`} />}
      />
      <View className='code-sent'>
        {form.sentTo === undefined ? null : copy.sent(form.sentTo && maskMobile(form.sentTo))}
      </View>
    </>
  )
}
