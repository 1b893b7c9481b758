import { launch } from '@/platform/launch'
import { decodeValue } from '@/router/params'
import { sourceTag } from '@/session/persist'
import { shells } from '@/session/state'
import { dispatch } from '@/session/store'

/** Where the visit came from, and in which shell: sent with every call from now on (spec §3, §7). */
export function rememberLaunch() {
  const query = launch.query()
  const channelCode = sourceTag(decodeValue(query.channelCode))
  const bd_vid = sourceTag(decodeValue(query.bd_vid))
  const platform = shells.find((shell) => shell === query.platform)
  // of an invitation to help, whatever page it is opened on first: who logs in or signs up came by it
  const recordId = sourceTag(decodeValue(query.recordId))
  if (recordId && /^[\w-]{1,64}$/.test(recordId)) dispatch({ type: 'unlockRecordKept', recordId })
  if (channelCode || bd_vid || platform) dispatch({ type: 'launched', channelCode, bd_vid, platform })
}
