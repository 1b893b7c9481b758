import { atom, useAtomValue } from 'jotai'
import { type ComponentProps, type ComponentType, useEffect, useState } from 'react'
import { privacy } from '@/platform/privacy'
import { agreedAtom, appStateAtom, dispatch, store } from '@/session/store'
import type { Consent } from '@/ui/Consent/Consent'
import { nav } from './nav'
import { type RouteDef, type RouteName, routes } from './routes'

/** ms: what the visitor came for is drawn first */
const PROMPT_DELAY_MS = 2000
const ASKED = 'privacy'

/** Asks itself, or is what the question leads to. */
const quietRoutes: readonly RouteName[] = ['article', 'loginH5', 'loginH5ResetPwd', 'loginWx', 'loginWxSms', 'test']

/** Something the user has just wished for is held back by the host. */
const heldBackAtom = atom(false)
export const followPrivacy = () => privacy.follow(() => store.set(heldBackAtom, true))

function answer(agreed: boolean) {
  if (agreed) dispatch({ type: 'firstLaunchDone' })
  else {
    dispatch({ type: 'popupShown', key: ASKED, at: Date.now() })
    privacy.answer(false)
  }
  store.set(heldBackAtom, false)
}

/** Whether to ask now; the first time a while after the page came. */
function usePromptState(name: RouteName): { wanted: boolean; waiting: boolean } {
  const waiting = useAtomValue(heldBackAtom)
  const agreed = useAtomValue(agreedAtom)
  const { popupState } = useAtomValue(appStateAtom)
  const [late, setLate] = useState(false)
  const fresh = !agreed && popupState[ASKED] === undefined && !quietRoutes.includes(name)
  useEffect(() => {
    if (!fresh) return
    const timer = setTimeout(() => setLate(true), PROMPT_DELAY_MS)
    return () => clearTimeout(timer)
  }, [fresh])
  return { wanted: waiting || (fresh && late), waiting }
}

type Loaded = { Question: ComponentType<ComponentProps<typeof Consent>> }

/** The question about agreement and privacy (rule 4.2): on the first launch, and when the host wants it answered. */
export function FirstLaunch({ name }: { name: RouteName }) {
  const { wanted, waiting } = usePromptState(name)
  const [loaded, setLoaded] = useState<Loaded>()
  const { tab }: RouteDef = routes[name]
  useEffect(() => {
    if (!wanted) return
    // without a network it is asked on the next page
    import('@/ui/Consent/Consent').then(({ Consent: Question }) => setLoaded({ Question })).catch(() => undefined)
  }, [wanted])
  if (!wanted || !loaded) return null
  return (
    <loaded.Question
      waiting={waiting}
      overTabs={tab !== undefined}
      onAnswer={answer}
      onRead={(key) => void nav.to('article', { key })}
    />
  )
}
