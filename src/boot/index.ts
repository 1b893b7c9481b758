import { wireApi } from '@/api'
import { installCovers } from '@/platform/cover'
import { device } from '@/platform/device'
import { showTextScale } from '@/platform/display'
import { firstPaint } from '@/platform/firstPaint'
import { installGestures } from '@/platform/gestures'
import { followKeyboard } from '@/platform/keyboard'
import { offline } from '@/platform/offline'
import { installPageGuard } from '@/platform/pageGuard'
import { transport } from '@/platform/transport'
import { followPrivacy } from '@/router/FirstLaunch'
import { decide } from '@/router/guard'
import { currentUrl, nav } from '@/router/nav'
import {
  appState,
  appStateAtom,
  hasAgreed,
  isLoggedIn,
  loggedInAtom,
  session,
  startSession,
  store,
} from '@/session/store'
import { textScale } from '@/ui/textSize'
import { followErrors, logFailure } from './errorLog'
import { askToRetry, tell } from './errors'
import { countVisit, followReopening, keepPayParams, rememberLaunch } from './launch'
import { renewLogin } from './renew'
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

/** Who calls and where they came from; the latter is not needed for browsing and stays here until the user agreed. */
const credentials = () => ({
  ...session(),
  ...appState(),
  ...(!hasAgreed() && { channelCode: undefined, bd_vid: undefined }),
})

/** The composition root: session → api, errors → dialogs, guard → host. Runs once, before anything is drawn. */
export function boot() {
  followErrors()
  startSession(undefined, leaveProtectedPage)
  const channel = rememberLaunch()
  followTextSize()
  installGestures()
  installCovers()
  followKeyboard()
  wireApi({
    base: API_BASE,
    secret: SIGN_SECRET,
    transport,
    device,
    credentials,
    first: firstPaint.take,
    now: Date.now,
    random: Math.random,
    tell,
    askToRetry,
    failed: logFailure,
    renew: renewLogin,
  })
  offline.start()
  followLogin()
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
