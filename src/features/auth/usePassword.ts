import { useState } from 'react'
import { api } from '@/api'
import { useAction } from '@/api/useAction'
import { mobileIssue, normaliseMobile, passwordIssue, smsCodeIssue } from '@/contract/rules'
import { dialog } from '@/platform/dialog'
import { nav } from '@/router/nav'
import { copy } from './copy'
import { type Errors, type Field, loginErrors, type SmsCodeState, useSmsCode } from './useSmsCode'

const SCENE_CHANGE = 3
const SCENE_RESET = 4

const quiet = [...loginErrors, 'NOT_FOUND'] as const

/** New password and its submission; `field` shows an error for which the server names no field. */
function useNewPassword({ failed }: SmsCodeState, field: Field) {
  const [password, setPassword] = useState('')
  const { busy, run } = useAction()
  const save = (request: () => Promise<true>, done: () => Promise<void>) =>
    void run(
      async () => {
        await request()
        await done()
      },
      (e) => failed(e.fields?.[0]?.path === 'password' ? 'password' : field, copy.saveFailed)(e),
    )
  return { password, setPassword, busy, save }
}

const hasIssue = (issues: Errors) => Object.values(issues).some(Boolean)

/** 找回密码: number, code, new password; then the login page with the number filled in. */
export function usePasswordReset() {
  const form = useSmsCode(SCENE_RESET)
  const next = useNewPassword(form, 'code')
  const { mobile, code } = form
  const { password } = next
  function submit() {
    const issues = {
      mobile: mobileIssue(mobile),
      code: smsCodeIssue(code),
      password: passwordIssue(password, normaliseMobile(mobile)),
    }
    form.setErrors(issues)
    if (hasIssue(issues)) return
    next.save(
      () => api.user.resetPassword({ mobile: normaliseMobile(mobile), code, password }, { quiet }),
      async () => {
        dialog.toast(copy.resetDone)
        await nav.back('loginH5')
      },
    )
  }
  return { ...form, ...next, submit }
}

/** 修改密码: proven by the old one or by a code to the own number. */
export function usePasswordChange(hasPassword: boolean) {
  const form = useSmsCode(SCENE_CHANGE, true)
  const [proof, setProof] = useState<'old' | 'code'>(hasPassword ? 'old' : 'code')
  const [oldPassword, setOldPassword] = useState('')
  const next = useNewPassword(form, proof === 'old' ? 'oldPassword' : 'code')
  const { password } = next
  function submit() {
    const issues = {
      ...(proof === 'old'
        ? { oldPassword: oldPassword === '' ? copy.passwordMissing : undefined }
        : { code: smsCodeIssue(form.code) }),
      password: passwordIssue(password),
    }
    form.setErrors(issues)
    if (hasIssue(issues)) return
    const proven = proof === 'old' ? { oldPassword } : { code: form.code }
    next.save(
      () => api.user.updatePassword({ ...proven, password }, { quiet }),
      async () => {
        dialog.toast(hasPassword ? copy.changeDone : copy.setDone)
        await nav.back('mineSetting')
      },
    )
  }
  const changeOld = (text: string) => {
    setOldPassword(text)
    form.clear('oldPassword')
  }
  return { ...form, ...next, proof, setProof, oldPassword, changeOld, submit }
}
