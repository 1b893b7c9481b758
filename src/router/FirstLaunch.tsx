import { atom, useAtomValue } from 'jotai'
import { type ComponentProps, type ComponentType, useEffect, useState } from 'react'
import { privacy } from '@/platform/privacy'
import { agreedAtom, appStateAtom, dispatch, store } from '@/session/store'
import type { Consent } from './Consent'
import { nav } from './nav'
import type { RouteName } from './routes'

/** ms: the requested page is drawn first */
const PROMPT_DELAY_MS = 2000
const PROMPT_KEY = 'privacy'

/** Routes that ask for agreement themselves or are linked from the prompt. */
const quietRoutes: readonly RouteName[] = ['article', 'loginH5', 'loginH5ResetPwd', 'loginWx', 'loginWxSms', 'test']

/** The host is holding back an action until its privacy guide is answered. */
const heldBackAtom = atom(false)
export const handlePrivacyRequests = () => privacy.onRequest(() => store.set(heldBackAtom, true))

function answer(agreed: boolean) {
  if (agreed) dispatch({ type: 'firstLaunchDone' })
  else {
    dispatch({ type: 'popupShown', key: PROMPT_KEY, at: Date.now() })
    privacy.answer(false)
  }
  store.set(heldBackAtom, false)
}

/** Whether to show the prompt; the first time only after a delay. */
function usePromptState(name: RouteName): { wanted: boolean; waiting: boolean } {
  const waiting = useAtomValue(heldBackAtom)
  const agreed = useAtomValue(agreedAtom)
  const { popupState } = useAtomValue(appStateAtom)
  const [late, setLate] = useState(false)
  const fresh = !agreed && popupState[PROMPT_KEY] === undefined && !quietRoutes.includes(name)
  useEffect(() => {
    if (!fresh) return
    const timer = setTimeout(() => setLate(true), PROMPT_DELAY_MS)
    return () => clearTimeout(timer)
  }, [fresh])
  return { wanted: waiting || (fresh && late), waiting }
}

type Loaded = { Question: ComponentType<ComponentProps<typeof Consent>> }

/** Agreement and privacy prompt: at first launch, and when the host requires it. */
export function FirstLaunch({ name }: { name: RouteName }) {
  const { wanted, waiting } = usePromptState(name)
  const [loaded, setLoaded] = useState<Loaded>()
  useEffect(() => {
    if (!wanted) return
    // without a network the next page tries again
    import('./Consent').then(({ Consent: Question }) => setLoaded({ Question })).catch(() => undefined)
  }, [wanted])
  if (!wanted || !loaded) return null
  return <loaded.Question waiting={waiting} onAnswer={answer} onRead={(key) => void nav.to('article', { key })} />
}
