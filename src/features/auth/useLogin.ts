import { useRef, useState } from 'react'
import { AppError, api, isShown } from '@/api'
import type { ErrorCode } from '@/contract/errors'
import { mobileIssue, normaliseMobile, smsCodeIssue } from '@/contract/rules'
import type { Login } from '@/contract/types'
import { nav } from '@/router/nav'
import { dispatch } from '@/session/store'
import { copy } from './copy'
import { useSmsCountdown } from './countdown'

const SCENE_LOGIN = 1
const CODE_LENGTH = 6

/** What the form says at its fields itself. */
const sendCodes = ['VALIDATION_FAILED', 'SMS_TOO_FAST', 'SMS_DAILY_LIMIT'] as const satisfies readonly ErrorCode[]
const loginCodes = ['VALIDATION_FAILED', 'SMS_CODE_WRONG', 'SMS_CODE_EXPIRED'] as const satisfies readonly ErrorCode[]

export interface LoginErrors {
  mobile?: string
  code?: string
}

/** The sentence for a refused call: the field's own where the server named it; nothing when it was told already. */
function sayWhy(e: unknown, field: 'mobile' | 'code', otherwise: string): string | undefined {
  if (!(e instanceof AppError)) throw e
  if (isShown(e) || e.kind === 'abort') return undefined
  return e.fields?.find(({ path }) => path === field)?.msg ?? (e.kind === 'business' ? e.msg : otherwise)
}

/** Stores the session and goes where the user wanted to go. */
export async function enter({ token, userId, newUser }: Login, redirect: string | undefined) {
  dispatch({ type: 'loggedIn', token, userId, newUser })
  await nav.afterLogin(redirect)
}

/**
 * Mobile and code: sending, counting down, logging in. One tap is one request; `offer` is set while the agreement has
 * to be asked for before a login that was started.
 */
export function useLogin(redirect: string | undefined) {
  const [mobile, setMobile] = useState('')
  const [code, setCode] = useState('')
  const [agreed, setAgreed] = useState(false)
  const [offer, setOffer] = useState(false)
  const [errors, setErrors] = useState<LoginErrors>({})
  const [busy, setBusy] = useState<'send' | 'login'>()
  const [sentTo, setSentTo] = useState<string>()
  const locked = useRef(false)
  const { left, start } = useSmsCountdown()

  async function once(what: 'send' | 'login', work: () => Promise<void>) {
    if (locked.current) return
    locked.current = true
    setBusy(what)
    try {
      await work()
    } finally {
      locked.current = false
      setBusy(undefined)
    }
  }

  /** Answers whether a code is on its way. */
  async function send(): Promise<boolean> {
    const issue = mobileIssue(mobile)
    setErrors({ mobile: issue })
    if (issue || left > 0) return false
    let sent = false
    await once('send', async () => {
      try {
        const number = normaliseMobile(mobile)
        const { nextAt } = await api.user.sendSmsCode({ mobile: number, scene: SCENE_LOGIN }, { quiet: sendCodes })
        start(nextAt)
        setSentTo(number)
        setCode('')
        sent = true
      } catch (e) {
        setErrors({ mobile: sayWhy(e, 'mobile', copy.sendFailed) })
        if (e instanceof AppError && e.code === 'SMS_TOO_FAST') start((e.data as { nextAt?: unknown } | null)?.nextAt)
      }
    })
    return sent
  }

  async function login(with6: string) {
    const issues = { mobile: mobileIssue(mobile), code: smsCodeIssue(with6) }
    setErrors(issues)
    if (issues.mobile || issues.code) return
    await once('login', async () => {
      try {
        const request = { mobile: normaliseMobile(mobile), code: with6 }
        await enter(await api.user.smsLogin(request, { quiet: loginCodes }), redirect)
      } catch (e) {
        setErrors({ code: sayWhy(e, 'code', copy.failed) })
      }
    })
  }

  /** Logs in, or asks for the agreement first. */
  function submit(with6 = code) {
    const issues = { mobile: mobileIssue(mobile), code: smsCodeIssue(with6) }
    if (agreed || issues.mobile || issues.code) void login(with6)
    else setOffer(true)
  }

  function changeCode(text: string) {
    const digits = text.replace(/\D/g, '').slice(0, CODE_LENGTH)
    setCode(digits)
    setErrors((old) => ({ ...old, code: undefined }))
    if (digits.length === CODE_LENGTH && digits !== code && !mobileIssue(mobile)) submit(digits)
  }

  function changeMobile(text: string) {
    setMobile(text.replace(/[^\d+\s-]/g, '').slice(0, 17))
    setErrors((old) => ({ ...old, mobile: undefined }))
  }

  function answerOffer(yes: boolean) {
    setOffer(false)
    if (!yes) return
    setAgreed(true)
    void login(code)
  }

  return {
    mobile,
    code,
    agreed,
    offer,
    errors,
    busy,
    left,
    sentTo,
    changeMobile,
    leaveMobile: () => mobile !== '' && setErrors((old) => ({ ...old, mobile: mobileIssue(mobile) })),
    changeCode,
    setAgreed,
    answerOffer,
    send,
    submit,
  }
}

export type LoginState = ReturnType<typeof useLogin>
