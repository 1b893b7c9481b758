import { atom, useAtom, useAtomValue } from 'jotai'
import { useState } from 'react'
import { agreedAtom } from '@/session/store'

/** One tick serves every way on these pages until somebody is logged in; in memory only. */
export const agreementCheckedAtom = atom(false)

/**
 * The agreement in front of a login and of a code: never ticked beforehand, and asked of nobody who agreed at the first
 * launch. `offer` is set while it asks.
 */
export function useAgreement() {
  const known = useAtomValue(agreedAtom)
  const [ticked, setTicked] = useAtom(agreementCheckedAtom)
  const [nudge, setNudge] = useState(0)
  const [waiting, setWaiting] = useState<(yes: boolean) => void>()
  const agreed = known || ticked

  /** True when it was agreed to, before or now. */
  const ask = (): Promise<boolean> | true => {
    if (agreed) return true
    setNudge((n) => n + 1)
    return new Promise((resolve) => setWaiting(() => resolve))
  }
  return {
    /** answered at the first launch: nothing is left to tick */
    known,
    agreed,
    setAgreed: setTicked,
    nudge,
    offer: waiting !== undefined,
    ask,
    /** Runs `login` at once, or when the agreement was given. */
    attempt(login: () => void) {
      const asked = ask()
      if (asked === true) login()
      else void asked.then((yes) => yes && login())
    },
    answer(yes: boolean) {
      setWaiting(undefined)
      if (yes) setTicked(true)
      waiting?.(yes)
    },
  }
}

export type Agreement = ReturnType<typeof useAgreement>
