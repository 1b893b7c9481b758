import { atom, useAtom } from 'jotai'
import { useState } from 'react'
import { AppError, api, isShown } from '@/api'
import type { ErrorCode } from '@/contract/errors'
import type { smsSceneText } from '@/contract/labels'
import { mobileIssue, normaliseMobile } from '@/contract/rules'
import { deviceClientId } from '@/session/client'
import { copy } from './copy'
import { sentMobile, useSmsCountdown } from './countdown'
import { useAgreement } from './useAgreement'
import { useSingleFlight } from './useSingleFlight'

type Scene = keyof typeof smsSceneText
export type Field = 'mobile' | 'code' | 'password' | 'oldPassword'
export type Errors = { [F in Field]?: string | undefined }

export const CODE_LENGTH = 6
/** 11 digits as people group them, with +86 */
const MOBILE_LENGTH = 17

/** What the form says at its fields itself. */
const sendCodes = ['VALIDATION_FAILED', 'SMS_TOO_FAST', 'SMS_DAILY_LIMIT'] as const satisfies readonly ErrorCode[]

/** The number typed on one of these pages, known to the next, and after a refresh while its code is new; never in an address. */
export const mobileAtom = atom(sentMobile())

/**
 * The sentence for a refused call: the field's own where the server named it; nothing when it was told already.
 * @throws what is no AppError
 */
export function errorTextAt(e: unknown, field: Field, otherwise: string): string | undefined {
  if (!(e instanceof AppError)) throw e
  if (isShown(e) || e.kind === 'abort') return undefined
  return e.fields?.find(({ path }) => path === field)?.msg ?? (e.kind === 'business' ? e.msg : otherwise)
}

/**
 * A number, a code sent to it, and what is wrong with either. `own`: the code goes to the number of the logged-in
 * account, which the app does not know. A number is sent only after its owner agreed to the documents. The countdown
 * starts only when a code is on its way, or when the server says that one is.
 */
export function useSmsCode(scene: Scene, own = false) {
  const [mobile, setMobile] = useAtom(mobileAtom)
  const [code, setCode] = useState('')
  const [errors, setErrors] = useState<Errors>({})
  const [sentTo, setSentTo] = useState<string>()
  const { left, start } = useSmsCountdown()
  const agreement = useAgreement()
  const { busy, once } = useSingleFlight<'send'>()
  const clear = (field: Field) => setErrors((old) => ({ ...old, [field]: undefined }))

  async function ask(number: string | undefined): Promise<boolean> {
    try {
      const { nextAt } = await api.user.sendSmsCode(
        { mobile: number, scene, client: deviceClientId() },
        { quiet: sendCodes },
      )
      start(nextAt, number)
      setSentTo(number ?? '')
      setCode('')
      return true
    } catch (e) {
      setErrors({ [own ? 'code' : 'mobile']: errorTextAt(e, 'mobile', copy.sendFailed) })
      if (e instanceof AppError && e.code === 'SMS_TOO_FAST') start((e.data as { nextAt?: unknown } | null)?.nextAt)
      return false
    }
  }

  /** Answers whether a code is on its way. */
  async function send(): Promise<boolean> {
    const issue = own ? undefined : mobileIssue(mobile)
    setErrors({ mobile: issue })
    let sent = false
    if (!issue && left === 0 && (own || (await agreement.ask())))
      await once('send', async () => {
        sent = await ask(own ? undefined : normaliseMobile(mobile))
      })
    return sent
  }

  return {
    mobile,
    code,
    errors,
    setErrors,
    clear,
    sending: busy === 'send',
    /** seconds until the next code */
    left,
    sentTo,
    agreement,
    send,
    changeMobile(text: string) {
      setMobile(
        text
          .normalize('NFKC')
          .replace(/[^\d+\s-]/g, '')
          .slice(0, MOBILE_LENGTH),
      )
      clear('mobile')
    },
    leaveMobile: () => mobile !== '' && setErrors((old) => ({ ...old, mobile: mobileIssue(mobile) })),
    /** Answers the digits that stand in the box now. */
    changeCode(text: string): string {
      const digits = text.normalize('NFKC').replace(/\D/g, '').slice(0, CODE_LENGTH)
      setCode(digits)
      clear('code')
      return digits
    },
  }
}

export type SmsCodeState = ReturnType<typeof useSmsCode>
