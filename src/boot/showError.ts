import { type ApiError, markShown } from '@/api/error'
import { TOAST_DURATION } from '@/contract/constants'
import { clipboard } from '@/platform/clipboard'
import { dialog } from '@/platform/dialog'
import { handleExpiredSession } from './expiredSession'

let last = { text: '', at: 0 }

/** Suppresses repeated messages from calls that fail together. */
function isRepeated(text: string) {
  const now = Date.now()
  const echo = text === last.text && now - last.at < TOAST_DURATION
  if (!echo) last = { text, at: now }
  return echo
}

/** Shows an error globally (spec §8); called for every failure that no screen handles. */
export function showError(error: ApiError) {
  markShown(error)
  if (error.behaviour === 'relogin') {
    void handleExpiredSession(error.usedToken)
    return
  }
  if (isRepeated(error.msg)) return
  const { requestId } = error
  if (error.behaviour !== 'requestId' || !requestId) dialog.toast(error.msg)
  else dialog.toast(error.msg, { label: '复制编号', run: () => void clipboard.copy(requestId) })
}
