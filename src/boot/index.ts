import { wireApi } from '@/api'
import { onPayStatus } from '@/api/usePayStatus'
import { calls } from '@/contract/calls'
import { installCovers } from '@/platform/cover'
import { showTextScale } from '@/platform/display'
import { errorLog } from '@/platform/errorLog'
import { firstPaint } from '@/platform/firstPaint'
import { installGestures } from '@/platform/gestures'
import { followKeyboard } from '@/platform/keyboard'
import { offline } from '@/platform/offline'
import { installPageGuard } from '@/platform/pageGuard'
import { updates } from '@/platform/update'
import { followPrivacy } from '@/router/FirstLaunch'
import { currentUrl, nav, rememberReload } from '@/router/nav'
import {
  appState,
  appStateAtom,
  dispatch,
  isLoggedIn,
  session,
  sessionAtom,
  startSession,
  store,
} from '@/session/store'
import { textScale } from '@/ui/textSize'
import { connect } from './connect'
import { countVisit, followReopening, keepPayParams, rememberLaunch } from './launch'
import { followUpdates } from './update'

/** Another tab has logged the user out, or somebody else in: nothing of the user may stay on show here. */
function leaveProtectedPage() {
  // nor on the pages below this one, which would ask in the other's name
  if (isLoggedIn()) return updates.get('')
  nav.admit(currentUrl() ?? '/')
}

/** Follows the reader's own text size, now and whenever it is changed. */
function followTextSize() {
  const show = () => showTextScale(textScale[appState().textSize])
  show()
  store.sub(appStateAtom, show)
}

/** Signed out, here or in another tab, or somebody else signed in: what was kept for reading offline goes. */
function clearOfflineOnLogout() {
  let before = session().userId
  store.sub(sessionAtom, () => {
    const { userId } = session()
    if (before !== undefined && before !== userId) offline.forget()
    before = userId
  })
}

/** What came before anybody asked was made for a visitor: which coupons a user may take, a user asks. */
const firstAnswer = (path: string, body: string) =>
  isLoggedIn() && path === calls.coupon.canReceive.path ? undefined : firstPaint.take(path, body)

/** Calls that are made together ask together for what sends. */
let following = false

/** What the account keeps of the display can neither be heard nor told before something is sent, so it comes with that. */
async function connectAndFollow(quiet: boolean) {
  const ready = await connect(quiet)
  const { followDisplay } = await import('./connection')
  if (!following) followDisplay()
  following = true
  return ready
}

/** The composition root: session → api, errors → dialogs, guard → host. Runs once, before anything is drawn. */
export function boot() {
  errorLog.onUncaught((error) => void import('./errorLog').then(({ logUncaught }) => logUncaught(error)))
  startSession(undefined, leaveProtectedPage)
  rememberReload()
  const channel = rememberLaunch()
  followTextSize()
  installGestures()
  installCovers()
  followKeyboard()
  wireApi({ base: API_BASE, first: firstAnswer, connect: connectAndFollow })
  onPayStatus(({ images }) => images && dispatch({ type: 'defaultImagesLoaded', ...images }))
  offline.start()
  clearOfflineOnLogout()
  countVisit(channel)
  followReopening()
  keepPayParams()
  followPrivacy()
  followUpdates()
  installPageGuard(nav.admit)
}
