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
/** 11 digits as people group them, with +86 */
const MOBILE_LENGTH = 17

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

/** One tap is one request: while one is under way further ones are dropped. */
function useOnce() {
  const [busy, setBusy] = useState<'send' | 'login'>()
  const locked = useRef(false)
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
  return { busy, once }
}

/** What is typed and what is wrong with it. */
function useFields() {
  const [mobile, setMobile] = useState('')
  const [code, setCode] = useState('')
  const [errors, setErrors] = useState<LoginErrors>({})
  return {
    mobile,
    code,
    errors,
    setErrors,
    setCode,
    changeMobile(text: string) {
      setMobile(text.replace(/[^\d+\s-]/g, '').slice(0, MOBILE_LENGTH))
      setErrors((old) => ({ ...old, mobile: undefined }))
    },
    leaveMobile: () => mobile !== '' && setErrors((old) => ({ ...old, mobile: mobileIssue(mobile) })),
  }
}

type Fields = ReturnType<typeof useFields>
type Once = ReturnType<typeof useOnce>['once']

/** Sending a code; the countdown starts only when one is on its way, or when the server says that one is. */
function useSend({ mobile, setCode, setErrors }: Fields, once: Once) {
  const [sentTo, setSentTo] = useState<string>()
  const { left, start } = useSmsCountdown()

  async function ask(number: string): Promise<boolean> {
    try {
      const { nextAt } = await api.user.sendSmsCode({ mobile: number, scene: SCENE_LOGIN }, { quiet: sendCodes })
      start(nextAt)
      setSentTo(number)
      setCode('')
      return true
    } catch (e) {
      setErrors({ mobile: sayWhy(e, 'mobile', copy.sendFailed) })
      if (e instanceof AppError && e.code === 'SMS_TOO_FAST') start((e.data as { nextAt?: unknown } | null)?.nextAt)
      return false
    }
  }

  /** Answers whether a code is on its way. */
  async function send(): Promise<boolean> {
    const issue = mobileIssue(mobile)
    setErrors({ mobile: issue })
    let sent = false
    if (!issue && left === 0)
      await once('send', async () => {
        sent = await ask(normaliseMobile(mobile))
      })
    return sent
  }
  return { left, sentTo, send }
}

/**
 * Mobile and code: sending, counting down, logging in. `offer` is set while the agreement has to be asked for before a
 * login that was started.
 */
export function useLogin(redirect: string | undefined) {
  const fields = useFields()
  const { busy, once } = useOnce()
  const { left, sentTo, send } = useSend(fields, once)
  const [agreed, setAgreed] = useState(false)
  const [offer, setOffer] = useState(false)
  const { mobile, code, errors, setCode, setErrors } = fields

  const enterWith = (with6: string) =>
    once('login', async () => {
      try {
        const request = { mobile: normaliseMobile(mobile), code: with6 }
        await enter(await api.user.smsLogin(request, { quiet: loginCodes }), redirect)
      } catch (e) {
        setErrors({ code: sayWhy(e, 'code', copy.failed) })
      }
    })

  /** Logs in, or asks for the agreement first. */
  function submit(with6 = code) {
    const issues = { mobile: mobileIssue(mobile), code: smsCodeIssue(with6) }
    setErrors(issues)
    if (issues.mobile || issues.code) return
    if (agreed) void enterWith(with6)
    else setOffer(true)
  }

  function changeCode(text: string) {
    const digits = text.replace(/\D/g, '').slice(0, CODE_LENGTH)
    setCode(digits)
    setErrors((old) => ({ ...old, code: undefined }))
    if (digits.length === CODE_LENGTH && digits !== code && !mobileIssue(mobile)) submit(digits)
  }

  function answerOffer(yes: boolean) {
    setOffer(false)
    if (!yes) return
    setAgreed(true)
    void enterWith(code)
  }

  const { changeMobile, leaveMobile } = fields
  const typed = { mobile, code, errors, changeMobile, leaveMobile, changeCode }
  return { ...typed, agreed, setAgreed, offer, answerOffer, busy, left, sentTo, send, submit }
}

export type LoginState = ReturnType<typeof useLogin>
