import { hooks } from '@tarojs/shared'
import { DOUBLE_TAP_BLOCK } from '@/contract/constants'
import type { InstallGestures } from './port'

interface Tap {
  timeStamp: number
  target: { id: string }
}

let last = { id: '', at: Number.NEGATIVE_INFINITY }
let blockedAt: number | undefined

/** A tap is delivered once per listening ancestor, always with the same time stamp. */
function isSecondTap({ target, timeStamp }: Tap) {
  if (timeStamp === blockedAt) return true
  if (timeStamp === last.at) return false
  if (target.id === last.id && timeStamp - last.at < DOUBLE_TAP_BLOCK) {
    blockedAt = timeStamp
    return true
  }
  last = { id: target.id, at: timeStamp }
  return false
}

/** Mini-program pages cannot be zoomed, so only taps are left; Taro drops an event that belongs to no element. */
export const installGestures: InstallGestures = () => {
  hooks.tap('modifyMpEvent', (event) => {
    const tap = event.type === 'tap' || event.type === 'click'
    if (tap && isSecondTap(event as unknown as Tap))
      event.currentTarget = { ...event.currentTarget, id: '', dataset: {} }
  })
}
