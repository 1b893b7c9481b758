import { wireApi } from '@/api'
import { onPayStatus } from '@/api/usePayStatus'
import { calls } from '@/contract/calls'
import { installCovers } from '@/platform/cover'
import { showTextScale } from '@/platform/display'
import { firstPaint } from '@/platform/firstPaint'
import { installGestures } from '@/platform/gestures'
import { followKeyboard } from '@/platform/keyboard'
import { offline } from '@/platform/offline'
import { installPageGuard } from '@/platform/pageGuard'
import { followPrivacy } from '@/router/FirstLaunch'
import { decide } from '@/router/guard'
import { currentUrl, nav, rememberReload } from '@/router/nav'
import { appState, appStateAtom, dispatch, isLoggedIn, loggedInAtom, startSession, store } from '@/session/store'
import { textScale } from '@/ui/textSize'
import { connect } from './connect'
import { followDisplay } from './display'
import { followErrors } from './errorLog'
import { countVisit, followReopening, keepPayParams, rememberLaunch } from './launch'
import { followUpdates } from './update'

/** Another tab has logged out: nothing of the user may stay on show here. */
function leaveProtectedPage() {
  const decision = decide(currentUrl() ?? '/', { loggedIn: false })
  if (decision.kind === 'login') void nav.login(decision.back, 'replace')
}

/** Follows the reader's own text size, now and whenever it is changed. */
function followTextSize() {
  const show = () => showTextScale(textScale[appState().textSize])
  show()
  store.sub(appStateAtom, show)
}

/** Signed out, here or in another tab: what was kept for reading offline goes. */
function followLogin() {
  let before = isLoggedIn()
  store.sub(loggedInAtom, () => {
    if (before && !isLoggedIn()) offline.forget()
    before = isLoggedIn()
  })
}

/** What came before anybody asked was made for a visitor: which coupons a user may take, a user asks. */
const firstAnswer = (path: string, body: string) =>
  isLoggedIn() && path === calls.coupon.canReceive.path ? undefined : firstPaint.take(path, body)

/** The composition root: session → api, errors → dialogs, guard → host. Runs once, before anything is drawn. */
export function boot() {
  followErrors()
  startSession(undefined, leaveProtectedPage)
  rememberReload()
  const channel = rememberLaunch()
  followTextSize()
  installGestures()
  installCovers()
  followKeyboard()
  wireApi({ base: API_BASE, first: firstAnswer, connect })
  onPayStatus(({ images }) => images && dispatch({ type: 'defaultImagesLoaded', ...images }))
  offline.start()
  followLogin()
  followDisplay()
  countVisit(channel)
  followReopening()
  keepPayParams()
  followPrivacy()
  followUpdates()
  installPageGuard((url) => {
    const decision = decide(url, { loggedIn: isLoggedIn() })
    if (decision.kind === 'login') void nav.login(decision.back, 'replace')
    return decision.kind === 'open'
  })
}
