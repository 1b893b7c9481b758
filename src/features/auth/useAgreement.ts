import { atom, useAtom, useAtomValue } from 'jotai'
import { useState } from 'react'
import { agreedAtom } from '@/session/store'

/** Shared by all login methods until the user is logged in; in memory only. */
export const agreementCheckedAtom = atom(false)

/**
 * Agreement required before a login or a code: never checked by default, and not asked of users who agreed at first
 * launch. `promptOpen` is set while the prompt is open.
 */
export function useAgreement() {
  const agreedBefore = useAtomValue(agreedAtom)
  const [ticked, setTicked] = useAtom(agreementCheckedAtom)
  const [shakes, setShakes] = useState(0)
  const [waiting, setWaiting] = useState<(yes: boolean) => void>()
  const agreed = agreedBefore || ticked

  /** Whether the user has agreed, before or now. */
  const requestConsent = (): Promise<boolean> | true => {
    if (agreed) return true
    setShakes((n) => n + 1)
    return new Promise((resolve) => setWaiting(() => resolve))
  }
  return {
    /** already agreed at first launch: no checkbox is shown */
    agreedBefore,
    agreed,
    setAgreed: setTicked,
    shakes,
    promptOpen: waiting !== undefined,
    requestConsent,
    /** Runs `login` immediately, or once the user has agreed. */
    attempt(login: () => void) {
      const answer = requestConsent()
      if (answer === true) login()
      else void answer.then((yes) => yes && login())
    },
    answer(yes: boolean) {
      setWaiting(undefined)
      if (yes) setTicked(true)
      waiting?.(yes)
    },
  }
}

export type Agreement = ReturnType<typeof useAgreement>
