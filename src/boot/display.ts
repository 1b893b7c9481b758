import { ApiError, api } from '@/api'
import type { UserInfo } from '@/contract/types'
import { textScale } from '@/lib/textSize'
import { textSizes } from '@/session/state'
import {
  appState,
  appStateAtom,
  dispatch,
  isLoggedIn,
  loggedInAtom,
  session,
  sessionAtom,
  store,
} from '@/session/store'

type Settings = UserInfo['settings']
type DisplaySettings = Pick<Settings, 'fontScale' | 'reduceMotion'>

const deviceSettings = (): DisplaySettings => {
  const { textSize, reduceMotion } = appState()
  return { fontScale: textScale[textSize], reduceMotion: reduceMotion }
}
const same = (a: DisplaySettings, b: DisplaySettings) =>
  a.fontScale === b.fontScale && a.reduceMotion === b.reduceMotion
const isPlain = (settings: DisplaySettings) => same(settings, { fontScale: 1, reduceMotion: false })

/** Failures are ignored: the setting is stored on the device and sent again with the next change. */
async function ignoreFailure(work: Promise<unknown>) {
  try {
    await work
  } catch (e) {
    if (!(e instanceof ApiError)) throw e
  }
}

const saveToAccount = () => ignoreFailure(api.user.updateSettings(deviceSettings(), { quiet: true }))

function takeOver(theirs: Settings) {
  const textSize = textSizes.find((size) => textScale[size] >= theirs.fontScale) ?? textSizes[textSizes.length - 1]
  dispatch({ type: 'displayChosen', ...(textSize && { textSize }), reduceMotion: theirs.reduceMotion })
}

/** Adopts the account's settings; an account without settings keeps those of this device. */
async function adoptAccountSettings() {
  const userInfo = await api.user.get({}, { quiet: true })
  dispatch({ type: 'userInfoLoaded', userInfo })
  const theirs = userInfo.settings
  if (same(theirs, deviceSettings())) return
  if (isPlain(theirs)) return saveToAccount()
  takeOver(theirs)
}

/**
 * Synchronises text size and reduced motion with the account: the account's settings are adopted after a login, and
 * after a start with the first page that loads the user. Makes no request at start.
 * @returns stops the synchronisation
 */
export function syncDisplay(): () => void {
  let before = deviceSettings()
  let signedIn = isLoggedIn()
  let adopting = false
  // later responses may be older than a change made here
  let awaited = signedIn
  const earlier = session().userInfo
  const ends = [
    store.sub(loggedInAtom, () => {
      const now = isLoggedIn()
      awaited = awaited && now
      if (now && !signedIn) {
        adopting = true
        void ignoreFailure(adoptAccountSettings()).finally(() => {
          adopting = false
        })
      }
      signedIn = now
    }),
    store.sub(sessionAtom, () => {
      const { userInfo } = session()
      if (!awaited || !userInfo || userInfo === earlier) return
      awaited = false
      if (isPlain(userInfo.settings)) return
      adopting = true
      takeOver(userInfo.settings)
      adopting = false
    }),
    store.sub(appStateAtom, () => {
      const now = deviceSettings()
      const changed = !same(now, before)
      before = now
      awaited = awaited && !changed
      if (changed && isLoggedIn() && !adopting) void saveToAccount()
    }),
  ]
  return () => {
    for (const end of ends) end()
  }
}
