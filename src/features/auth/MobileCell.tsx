import { useState } from 'react'
import { type ApiError, api } from '@/api'
import { useAction } from '@/api/useAction'
import { mobileIssue, normaliseMobile, smsCodeIssue } from '@/contract/rules'
import type { UserInfo } from '@/contract/types'
import { dialog } from '@/platform/dialog'
import { Button } from '@/ui/Button/Button'
import { Cell } from '@/ui/Cell/Cell'
import { Notice } from '@/ui/Notice/Notice'
import { Sheet } from '@/ui/Sheet/Sheet'
import { TextInput } from '@/ui/TextInput/TextInput'
import { copy } from './copy'
import { MobileInput } from './parts/MobileInput'
import { SmsCodeField } from './parts/SmsCodeField'
import { useSmsCode } from './useSmsCode'

const SCENE_CHANGE_MOBILE = 2
const words = copy.changeMobile

interface Props {
  user: Pick<UserInfo, 'mobileMasked' | 'hasPassword'>
  onChanged: () => void
}

/** `old` proves the number of now by a code or the password, `next` the new one by a code. */
function useMobileChange(changed: () => void) {
  const old = useSmsCode(SCENE_CHANGE_MOBILE, true)
  const next = useSmsCode(SCENE_CHANGE_MOBILE)
  const [byPassword, setByPassword] = useState(false)
  const [password, setPassword] = useState('')
  const { busy, run } = useAction()

  /** Shows an error at the field that the server names, otherwise at the last one. */
  function failed({ code, detail, fields }: ApiError) {
    const path = fields?.[0]?.path.replace(/^mobile\./, '')
    if (path === 'oldCode') old.setErrors({ code: detail })
    else if (path === 'password' || code === 'PWD_WRONG' || code === 'ACCOUNT_LOCKED')
      old.setErrors({ password: detail })
    else next.setErrors({ [path === 'mobile' ? 'mobile' : 'code']: detail })
    return undefined
  }
  function save() {
    const proofIssue = byPassword
      ? { password: password === '' ? copy.passwordMissing : undefined }
      : { code: smsCodeIssue(old.code) }
    const issues = { mobile: mobileIssue(next.mobile), code: smsCodeIssue(next.code) }
    old.setErrors(proofIssue)
    next.setErrors(issues)
    if ([...Object.values(proofIssue), ...Object.values(issues)].some(Boolean)) return
    const proof = byPassword ? { password } : { oldCode: old.code }
    const mobile = { mobile: normaliseMobile(next.mobile), code: next.code, ...proof }
    void run(async () => {
      await api.user.updateSettings({ mobile }, { quiet: true })
      next.changeMobile('')
      dialog.toast(words.done)
      changed()
    }, failed)
  }
  return { old, next, byPassword, setByPassword, password, setPassword, busy, save }
}

/** A code to the new number, and a code to the old one or the password. */
function MobileSheet({ user, onChanged, onClose }: Props & { onClose: () => void }) {
  const { old, next, byPassword, setByPassword, password, setPassword, busy, save } = useMobileChange(() => {
    onClose()
    onChanged()
  })
  return (
    <Sheet open inset onClose={onClose} title={words.title} action={{ text: words.yes, loading: busy, onClick: save }}>
      <Notice text={words.note} />
      {byPassword ? (
        <TextInput
          label={copy.password}
          value={password}
          onChange={setPassword}
          password
          autoComplete='current-password'
          error={old.errors.password}
        />
      ) : (
        <SmsCodeField form={old} label={words.oldCode(user.mobileMasked)} onConfirm={save} />
      )}
      {user.hasPassword ? (
        <Button kind='ghost' size='s' onClick={() => setByPassword(!byPassword)}>
          {byPassword ? words.byCode : words.byPassword}
        </Button>
      ) : null}
      <MobileInput form={next} label={words.mobile} />
      <SmsCodeField form={next} label={words.code} onConfirm={save} />
    </Sheet>
  )
}

/** Shows and changes the account's mobile number. */
export function MobileCell(props: Props) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Cell title={words.cell} value={props.user.mobileMasked} onClick={() => setOpen(true)} />
      {open ? <MobileSheet {...props} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
