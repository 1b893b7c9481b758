import { configureApi } from '@/api'
import { onPayStatus } from '@/api/usePayStatus'
import { calls } from '@/contract/calls'
import { textScale } from '@/lib/textSize'
import { installBackHandler } from '@/platform/backHandler'
import { firstScreen } from '@/platform/firstScreen'
import { installGestures } from '@/platform/gestures'
import { trackKeyboardHeight } from '@/platform/keyboard'
import { offline } from '@/platform/offline'
import { installPageGuard } from '@/platform/pageGuard'
import { storage } from '@/platform/storage'
import { showTextScale } from '@/platform/textScale'
import { updates } from '@/platform/update'
import { handlePrivacyRequests } from '@/router/FirstLaunch'
import { nav, rememberReload } from '@/router/nav'
import { readSession, SESSION_KEY } from '@/session/persist'
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
import { countVisit, handleReopen, rememberLaunch, storePayParams } from './launch'
import { loadNetworkApi } from './loadNetworkApi'
import { handleUpdates } from './update'

/** Applies the chosen text size and its changes. */
function applyTextSize() {
  const show = () => showTextScale(textScale[appState().textSize])
  show()
  store.sub(appStateAtom, show)
}

/** Clears the offline cache when the user logs out or changes. */
function clearOfflineOnLogout() {
  let before = session().userId
  store.sub(sessionAtom, () => {
    const { userId } = session()
    if (before !== undefined && before !== userId) offline.clearOwnerCaches()
    before = userId
  })
}

/** After a login or logout in another tab this one starts again: nothing of the user before may remain visible. */
const followOtherTabs = () =>
  storage.onForeignChange(SESSION_KEY, () => {
    if (readSession(storage).userId === session().userId) return
    offline.clearOwnerCaches()
    updates.get('')
  })

/** The embedded response to a call. Those are made for guests, so a logged-in user requests the coupons again. */
const firstAnswer = (path: string, body: string) =>
  isLoggedIn() && path === calls.coupon.canReceive.path ? undefined : firstScreen.takeResponse(path, body)

/** The composition root: session → api, errors → dialogs, guard → host. Runs once, before anything is drawn. */
export function boot() {
  startSession()
  rememberReload()
  const channel = rememberLaunch()
  applyTextSize()
  installGestures()
  installBackHandler()
  trackKeyboardHeight()
  configureApi({ base: API_BASE, first: firstAnswer, loadNetworkApi })
  onPayStatus(({ images }) => images && dispatch({ type: 'defaultImagesLoaded', ...images }))
  offline.start()
  clearOfflineOnLogout()
  followOtherTabs()
  countVisit(channel)
  handleReopen()
  storePayParams()
  handlePrivacyRequests()
  handleUpdates()
  installPageGuard(nav.admit)
}
