import { useState } from 'react'
import { api } from '@/api'
import { useAction } from '@/api/useAction'
import { mobileIssue, normaliseMobile, smsCodeIssue } from '@/contract/rules'
import type { Login } from '@/contract/types'
import { nav } from '@/router/nav'
import { appState, dispatch, store } from '@/session/store'
import { copy } from './copy'
import { clearSentMobile } from './countdown'
import { agreementCheckedAtom } from './useAgreement'
import { CODE_LENGTH, type Field, loginErrors, mobileAtom, type SmsCodeState, useSmsCode } from './useSmsCode'

const SCENE_LOGIN = 1

/** Stores the session and opens the page the user wanted. */
export async function completeLogin({ token, userId, newUser }: Login, redirect: string | undefined) {
  dispatch({ type: 'loggedIn', token, userId, newUser })
  // agreeing at login also answers the first-launch prompt
  dispatch({ type: 'firstLaunchDone' })
  store.set(mobileAtom, '')
  store.set(agreementCheckedAtom, false)
  clearSentMobile()
  await nav.afterLogin(redirect)
}

/** Allows one login request at a time and shows its error at the field. */
function useLoginRequest(redirect: string | undefined, { failed }: SmsCodeState, field: Field) {
  const { busy, run } = useAction()
  const login = (request: () => Promise<Login>) =>
    void run(async () => completeLogin(await request(), redirect), failed(field, copy.failed))
  return { busy, login }
}

/** Login by SMS code, submitted at the sixth digit. `bind`: binds the number to the logged-in account. */
export function useSmsLogin(redirect: string | undefined, bind = false) {
  const form = useSmsCode(SCENE_LOGIN)
  const { busy, login } = useLoginRequest(redirect, form, 'code')

  function submit(code = form.code) {
    const issues = { mobile: mobileIssue(form.mobile), code: smsCodeIssue(code) }
    form.setErrors(issues)
    if (issues.mobile || issues.code) return
    const inviteRecordId = appState().reportUnlockRecordId
    const request = { mobile: normaliseMobile(form.mobile), code, inviteRecordId, ...(bind && { bind }) }
    form.agreement.attempt(() => login(() => api.user.smsLogin(request, { quiet: loginErrors })))
  }

  function changeCode(text: string) {
    const digits = form.changeCode(text)
    if (digits.length === CODE_LENGTH && digits !== form.code && !mobileIssue(form.mobile)) submit(digits)
  }
  return { ...form, changeCode, busy, submit }
}

export type SmsLogin = ReturnType<typeof useSmsLogin>

/** Login by mobile and password. */
export function usePasswordLogin(redirect: string | undefined) {
  const form = useSmsCode(SCENE_LOGIN)
  const [password, setPassword] = useState('')
  const { busy, login } = useLoginRequest(redirect, form, 'password')
  return {
    ...form,
    busy,
    password,
    changePassword(text: string) {
      setPassword(text)
      form.clear('password')
    },
    submit() {
      const issues = { mobile: mobileIssue(form.mobile), password: password === '' ? copy.passwordMissing : undefined }
      form.setErrors(issues)
      if (issues.mobile || issues.password) return
      const request = { mobile: normaliseMobile(form.mobile), password }
      form.agreement.attempt(() => login(() => api.user.login(request, { quiet: loginErrors })))
    },
  }
}
