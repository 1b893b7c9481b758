import { api } from '@/api'
import { wellFormed } from '@/lib/text'
import { device } from '@/platform/device'
import { launch } from '@/platform/launch'
import { decodeValue } from '@/router/params'
import { payParams, sourceTag } from '@/session/persist'
import { clientPlatforms } from '@/session/state'
import { agreedAtom, appState, dispatch, hasAgreed, isLoggedIn, loggedInAtom, store } from '@/session/store'

/** limit of the visit counter's `bizId` */
const MAX_CHANNEL_CODE_LENGTH = 64

/**
 * Stores the traffic source and the platform, which are sent with every call from now on (spec §3, §7).
 * @returns channel code of the opened link, empty if it has none; undefined: not a channel's link
 */
export function rememberLaunch(query = launch.query()): string | undefined {
  const channelCode = sourceTag(decodeValue(query.channelCode))
  const bd_vid = sourceTag(decodeValue(query.bd_vid))
  const isKnown = (platform: string | undefined) => clientPlatforms.find((known) => known === platform)
  // the stored platform does not count: a native app's link, opened once in a browser, would hide payments from then on
  const platform = isKnown(launch.nativePlatform(isKnown(query.platform))) ?? device.platform
  // an invitation to help unlock: credited if the visitor logs in or signs up
  const recordId = sourceTag(decodeValue(query.recordId))
  if (recordId) dispatch({ type: 'unlockRecordKept', recordId })
  if (channelCode || bd_vid || platform !== appState().platform)
    dispatch({ type: 'launched', channelCode, bd_vid, platform })
  return channelCode ?? (bd_vid && '')
}

/** Runs `then` once, as soon as `ready` holds, possibly immediately. */
function whenReady(atom: typeof agreedAtom, ready: () => boolean, then: () => void) {
  if (ready()) return then()
  const stop = store.sub(atom, () => {
    if (!ready()) return
    stop()
    then()
  })
}

/** Counts that a channel's link was opened, but only after the user has agreed. */
export function countVisit(channel: string | undefined) {
  if (channel === undefined) return
  const bizId = wellFormed(channel.slice(0, MAX_CHANNEL_CODE_LENGTH))
  whenReady(
    agreedAtom,
    hasAgreed,
    () => void api.app.countHit({ key: 'VISIT', bizId }, { quiet: true }).catch(() => undefined),
  )
}

/** A link that reopens the running app is handled like the one that started it. */
export const handleReopen = () => launch.onReopen((query) => countVisit(rememberLaunch(query)))

/**
 * Payment parameters of the iOS app (spec §3), JSON in the URL: stored with the session, so not
 * before login; removed with it, and removed from the URL immediately.
 */
export function storePayParams() {
  const text = decodeValue(launch.query().iosUserPayParams)
  launch.removeParam('iosUserPayParams')
  const params = payParams(text)
  if (params) whenReady(loggedInAtom, isLoggedIn, () => dispatch({ type: 'iosPayParamsReceived', params }))
}
