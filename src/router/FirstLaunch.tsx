import { atom, useAtomValue } from 'jotai'
import { HostAgreeButton, privacy } from '@/platform/privacy'
import { agreedAtom, appStateAtom, dispatch, store } from '@/session/store'
import { Consent, PROMPT_KEY } from './Consent'
import { nav } from './nav'
import type { RouteName } from './routes'

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

/**
 * Agreement and privacy prompt: at first launch, and when the host requires it. It is drawn with the page, so that it
 * never moves over what somebody is reading.
 */
export function FirstLaunch({ name }: { name: RouteName }) {
  const waiting = useAtomValue(heldBackAtom)
  const agreed = useAtomValue(agreedAtom)
  const { popupState } = useAtomValue(appStateAtom)
  const fresh = !agreed && popupState[PROMPT_KEY] === undefined && !quietRoutes.includes(name)
  if (!waiting && !fresh) return null
  return (
    <Consent waiting={waiting} onAnswer={answer} onRead={(key) => void nav.to('article', { key })}>
      <HostAgreeButton onAgree={() => answer(true)} />
    </Consent>
  )
}
