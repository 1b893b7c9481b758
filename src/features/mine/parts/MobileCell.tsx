import { View } from '@tarojs/components'
import { useEffect, useReducer, useState } from 'react'
import { type ApiError, api } from '@/api'
import { useAction } from '@/api/useAction'
import { smsCodeOf } from '@/contract/cleanText'
import { mobileIssue, normaliseMobile, smsCodeIssue } from '@/contract/rules'
import type { UserInfo } from '@/contract/types'
import { dialog } from '@/platform/dialog'
import { deviceClientId } from '@/session/client'
import { Button } from '@/ui/Button/Button'
import { Cell } from '@/ui/Cell/Cell'
import { Notice } from '@/ui/Notice/Notice'
import { Sheet } from '@/ui/Sheet/Sheet'
import { TextInput } from '@/ui/TextInput/TextInput'
import { copy } from '../copy'
import './MobileCell.scss'

const words = copy.setting.change
const SCENE_CHANGE_MOBILE = 2
/** minimum interval between two codes to one number, enforced by the server */
const RESEND_INTERVAL_MS = 60_000

type FieldName = 'oldCode' | 'password' | 'mobile' | 'code'
type Errors = { [B in FieldName]?: string | undefined }

/** Error text at the field named by the server, otherwise at the last one. */
function errorsOf(e: ApiError): Errors {
  const path = e.fields?.[0]?.path.replace(/^mobile\./, '')
  const box = (['oldCode', 'password', 'mobile', 'code'] as const).find((box) => box === path)
  const field = box ?? (e.code === 'PWD_WRONG' || e.code === 'ACCOUNT_LOCKED' ? 'password' : 'code')
  return { [field]: e.detail }
}

/** When (ms) another code may be sent to a number, and to the account's own. Kept while the sheet is closed. */
type NextCodeAt = Map<string, number>
const OWN = 'own'

interface SendProps {
  /** undefined: the account's own number */
  mobile: string | undefined
  nextCodeAt: NextCodeAt
  onIssue: (issue: string | undefined) => void
}

/** Sends a code; each number has its own countdown. */
function SendCodeButton({ mobile, nextCodeAt, onIssue }: SendProps) {
  const { busy: sending, run } = useAction()
  const [, redraw] = useReducer((n: number) => n + 1, 0)
  const number = mobile === undefined ? OWN : normaliseMobile(mobile)
  const nextAt = nextCodeAt.get(number) ?? 0
  const sent = nextAt > Date.now()
  useEffect(() => {
    if (!sent) return
    const timer = setTimeout(() => {
      nextCodeAt.delete(number)
      redraw()
    }, nextAt - Date.now())
    return () => clearTimeout(timer)
  }, [nextCodeAt, number, nextAt, sent])

  async function send() {
    const to = mobile === undefined ? {} : { mobile: number }
    await api.user.sendSmsCode({ ...to, scene: SCENE_CHANGE_MOBILE, client: deviceClientId() }, { quiet: true })
    nextCodeAt.set(number, Date.now() + RESEND_INTERVAL_MS)
  }
  function tap() {
    const issue = mobile === undefined ? undefined : mobileIssue(mobile)
    onIssue(issue)
    if (!issue)
      void run(send, ({ detail }) => {
        onIssue(detail)
        return undefined
      })
  }
  const label = mobile === undefined ? words.sendOld : words.sendNew
  return (
    <Button kind='ghost' size='s' label={sent ? words.sent : label} loading={sending} disabled={sent} onClick={tap}>
      {sent ? words.sent : words.send}
    </Button>
  )
}

interface Props {
  user: Pick<UserInfo, 'mobileMasked' | 'hasPassword'>
  onChanged: () => void
}

interface SheetProps extends Props, Pick<SendProps, 'nextCodeAt'> {
  onClose: () => void
}

/** A code to the new number, and a code to the old one or the password. */
function MobileSheet({ user, nextCodeAt, onChanged, onClose }: SheetProps) {
  const [byPassword, setByPassword] = useState(false)
  const [typed, setTyped] = useState({ oldCode: '', password: '', mobile: '', code: '' })
  const [errors, setErrors] = useState<Errors>({})
  const { busy, run } = useAction()
  const set = (box: FieldName) => (text: string) => {
    setTyped((old) => ({ ...old, [box]: text }))
    setErrors((old) => ({ ...old, [box]: undefined }))
  }
  const setIssue = (box: FieldName) => (msg: string | undefined) => setErrors((old) => ({ ...old, [box]: msg }))

  function save() {
    const { oldCode, password, mobile, code } = typed
    const found: Errors = {
      ...(byPassword
        ? { password: password === '' ? words.passwordMissing : undefined }
        : { oldCode: smsCodeIssue(oldCode) }),
      mobile: mobileIssue(mobile),
      code: smsCodeIssue(code),
    }
    setErrors(found)
    if (Object.values(found).some(Boolean)) return
    const proof = byPassword ? { password } : { oldCode }
    void run(
      async () => {
        await api.user.updateSettings({ mobile: { mobile: normaliseMobile(mobile), code, ...proof } }, { quiet: true })
        dialog.toast(words.done)
        onClose()
        onChanged()
      },
      (e) => {
        setErrors(errorsOf(e))
        return undefined
      },
    )
  }

  const code = (box: 'oldCode' | 'code', label: string, mobile: string | undefined, field: FieldName) => (
    <TextInput
      label={label}
      value={typed[box]}
      onChange={set(box)}
      keyboard='int'
      autoComplete='one-time-code'
      clean={smsCodeOf}
      maxLength={6}
      error={errors[box]}
      suffix={<SendCodeButton mobile={mobile} nextCodeAt={nextCodeAt} onIssue={setIssue(field)} />}
    />
  )
  return (
    <Sheet
      open
      inset
      onClose={onClose}
      title={words.title}
      foot={
        <Button block loading={busy} onClick={save}>
          {words.yes}
        </Button>
      }
    >
      <View className='number__note'>
        <Notice tone='info' text={words.note} />
      </View>
      {byPassword ? (
        <TextInput
          label={words.password}
          value={typed.password}
          onChange={set('password')}
          password
          autoComplete='current-password'
          error={errors.password}
        />
      ) : (
        code('oldCode', words.oldCode(user.mobileMasked), undefined, 'oldCode')
      )}
      {user.hasPassword ? (
        <Button kind='ghost' size='s' onClick={() => setByPassword(!byPassword)}>
          {byPassword ? words.byCode : words.byPassword}
        </Button>
      ) : null}
      <TextInput
        label={words.mobile}
        value={typed.mobile}
        onChange={set('mobile')}
        keyboard='tel'
        autoComplete='tel'
        error={errors.mobile}
      />
      {code('code', words.code, typed.mobile, 'mobile')}
    </Sheet>
  )
}

/** Shows and changes the account's mobile number. */
export function MobileCell(props: Props) {
  const [open, setOpen] = useState(false)
  const [nextCodeAt] = useState<NextCodeAt>(() => new Map())
  return (
    <>
      <Cell title={copy.setting.mobile} value={props.user.mobileMasked} onClick={() => setOpen(true)} />
      {open ? <MobileSheet {...props} nextCodeAt={nextCodeAt} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
