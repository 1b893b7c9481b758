import { api } from '@/api'
import { wellFormed } from '@/lib/text'
import { launch } from '@/platform/launch'
import { decodeValue } from '@/router/params'
import { payParams, sourceTag } from '@/session/persist'
import { shells } from '@/session/state'
import { agreedAtom, dispatch, hasAgreed, isLoggedIn, loggedInAtom, store } from '@/session/store'

/** limit of the visit counter's `bizId` */
const MAX_CHANNEL_CODE_LENGTH = 64

/**
 * Where the visit came from, and in which shell: sent with every call from now on (spec §3, §7).
 * @returns the code of the channel whose link was opened now, empty for one without; undefined: no channel's link
 */
export function rememberLaunch(query = launch.query()): string | undefined {
  const channelCode = sourceTag(decodeValue(query.channelCode))
  const bd_vid = sourceTag(decodeValue(query.bd_vid))
  const platform = shells.find((shell) => shell === query.platform)
  // of an invitation to help, whatever page it is opened on first: who logs in or signs up came by it
  const recordId = sourceTag(decodeValue(query.recordId))
  if (recordId && /^[\w-]{1,64}$/.test(recordId)) dispatch({ type: 'unlockRecordKept', recordId })
  if (channelCode || bd_vid || platform) dispatch({ type: 'launched', channelCode, bd_vid, platform })
  return channelCode ?? (bd_vid && '')
}

/** Does `then` as soon as `ready` holds, which may be now; once. */
function whenReady(atom: typeof agreedAtom, ready: () => boolean, then: () => void) {
  if (ready()) return then()
  const stop = store.sub(atom, () => {
    if (!ready()) return
    stop()
    then()
  })
}

/** Counts for the operator that a channel's link was opened; not before the user has agreed to be counted. */
export function countVisit(channel: string | undefined) {
  if (channel === undefined) return
  const bizId = wellFormed(channel.slice(0, MAX_CHANNEL_CODE_LENGTH))
  whenReady(
    agreedAtom,
    hasAgreed,
    () => void api.app.countHit({ key: 'VISIT', bizId }, { quiet: true }).catch(() => undefined),
  )
}

/** Another link that opens the running app says as much as the one it was started with. */
export const followReopening = () => launch.onReopen((query) => countVisit(rememberLaunch(query)))

/**
 * What the iOS shell hands over for paying (spec §3), as JSON in the address it opens: kept with the session, so not
 * before there is one, gone with it, and out of the address at once.
 */
export function keepPayParams() {
  const text = decodeValue(launch.query().iosUserPayParams)
  launch.forget('iosUserPayParams')
  const params = payParams(text)
  if (params) whenReady(loggedInAtom, isLoggedIn, () => dispatch({ type: 'iosPayParamsReceived', params }))
}
