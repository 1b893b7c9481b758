import { atom, useAtom } from 'jotai'
import { useState } from 'react'
import { ApiError, api, isShown } from '@/api'
import { useAction } from '@/api/useAction'
import { cleanText, smsCodeOf } from '@/contract/cleanText'
import type { ErrorCode } from '@/contract/errors'
import type { smsSceneText } from '@/contract/labels'
import { mobileIssue, normaliseMobile } from '@/contract/rules'
import { deviceClientId } from '@/session/client'
import { copy } from './copy'
import { sentMobile, useSmsCountdown } from './countdown'
import { useAgreement } from './useAgreement'

type Scene = keyof typeof smsSceneText
export type Field = 'mobile' | 'code' | 'password' | 'oldPassword'
export type Errors = { [F in Field]?: string | undefined }

export const CODE_LENGTH = 6
/** 11 digits with separators and +86 */
const MOBILE_LENGTH = 20

/** Errors of a login that its form shows at its fields. */
export const loginErrors = [
  'VALIDATION_FAILED',
  'SMS_CODE_WRONG',
  'SMS_CODE_EXPIRED',
  'PWD_WRONG',
  'ACCOUNT_LOCKED',
] as const satisfies readonly ErrorCode[]
/** Errors of requesting a code that the form shows at its fields. */
const sendCodes = ['VALIDATION_FAILED', 'SMS_TOO_FAST', 'SMS_DAILY_LIMIT'] as const satisfies readonly ErrorCode[]

/** Mobile number shared by the login pages; restored after a refresh while its code is valid; never part of a URL. */
export const mobileAtom = atom(sentMobile())

/** Message of a refused call, preferring the one for the named field; undefined if it was already shown. */
function errorTextAt(e: ApiError, field: Field, otherwise: string): string | undefined {
  if (isShown(e) || e.kind === 'abort') return undefined
  return e.fields?.find(({ path }) => path === field)?.msg ?? (e.kind === 'business' ? e.msg : otherwise)
}

/**
 * Mobile number, SMS code and their errors. `own`: the code goes to the number of the logged-in
 * account, which the app does not know. The number is sent only after the user has agreed. The countdown of a number
 * starts when a code has been sent, or when the server says that one was.
 */
export function useSmsCode(scene: Scene, own = false) {
  const [mobile, setMobile] = useAtom(mobileAtom)
  const [code, setCode] = useState('')
  const [errors, setErrors] = useState<Errors>({})
  const [sentTo, setSentTo] = useState<string>()
  const number = own ? '' : normaliseMobile(mobile)
  const last = useSmsCountdown(number)
  // '' is the account's own number, not an empty input
  const left = own || number !== '' ? last.left : 0
  const agreement = useAgreement()
  const { busy: sending, run } = useAction()
  const clear = (field: Field) => setErrors((old) => ({ ...old, [field]: undefined }))

  async function requestCode(): Promise<boolean> {
    try {
      const { nextAt } = await api.user.sendSmsCode(
        { mobile: own ? undefined : number, scene, client: deviceClientId() },
        { quiet: sendCodes },
      )
      return noteSent(nextAt)
    } catch (e) {
      if (!(e instanceof ApiError)) throw e
      const isEarly = e.code === 'SMS_TOO_FAST'
      const data = isEarly ? (e.data as { nextAt?: unknown; sent?: boolean } | null | undefined) : undefined
      // that code was sent to our request, whose answer was lost
      if (data?.sent) return noteSent(data.nextAt)
      setErrors({ [own ? 'code' : 'mobile']: errorTextAt(e, 'mobile', copy.sendFailed) })
      // the code before may have been for something else, or refused by the carrier
      if (isEarly) last.start(data?.nextAt, number)
      return false
    }
  }

  function noteSent(nextAt: unknown): true {
    last.start(nextAt, number, scene)
    setSentTo(number)
    setCode('')
    return true
  }

  /** @returns whether a code has been sent */
  async function send(): Promise<boolean> {
    const issue = own ? undefined : mobileIssue(mobile)
    setErrors({ mobile: issue })
    let sent = false
    if (!issue && left === 0 && (own || (await agreement.requestConsent())))
      await run(async () => {
        sent = await requestCode()
      })
    return sent
  }

  /** Sends a code unless the last one can still be entered here. @returns whether there is a code to enter */
  async function ensureSent(): Promise<boolean> {
    if (left === 0) return send()
    // the server accepts a code only for what it was sent for
    if (last.scene === scene) return agreement.requestConsent()
    setErrors({ mobile: copy.wait(left) })
    return false
  }

  return {
    mobile,
    code,
    errors,
    setErrors,
    /** Shows the error of a call at `field`, `otherwise` one of the network. */
    failed: (field: Field, otherwise: string) => (e: ApiError) => {
      setErrors({ [field]: errorTextAt(e, field, otherwise) })
      return undefined
    },
    clear,
    sending,
    /** seconds until the next code to this number */
    left,
    sentTo,
    agreement,
    send,
    ensureSent,
    changeMobile(text: string) {
      setMobile(
        cleanText(text)
          .replace(/[^\d+\s-]/g, '')
          .trimStart()
          .slice(0, MOBILE_LENGTH),
      )
      clear('mobile')
    },
    leaveMobile: () => mobile !== '' && setErrors((old) => ({ ...old, mobile: mobileIssue(mobile) })),
    /** @returns the digits now in the input */
    changeCode(text: string): string {
      const digits = smsCodeOf(text)
      setCode(digits)
      clear('code')
      return digits
    },
  }
}

export type SmsCodeState = ReturnType<typeof useSmsCode>
