import { DOUBLE_TAP_BLOCK } from '@/contract/constants'
import type { InstallGestures } from './port'

const TAPPABLE = 'button,a,[role],[tabindex]'
const FIELDS = 'input,textarea,select,[contenteditable]'

let last: { target: Element; at: number } | undefined

function onClick(e: MouseEvent) {
  // detail 0: triggered by keyboard or code, not by touch
  if (e.detail === 0 || !(e.target instanceof Element) || e.target.closest(FIELDS)) return
  const target = e.target.closest(TAPPABLE) ?? e.target
  const at = performance.now()
  if (last?.target === target && at - last.at < DOUBLE_TAP_BLOCK) {
    e.stopPropagation()
    e.preventDefault()
    return
  }
  last = { target, at }
}

const block = (e: Event) => e.preventDefault()

export const installGestures: InstallGestures = () => {
  window.addEventListener('click', onClick, true)
  // the viewport's user-scalable=no is ignored by Safari
  document.addEventListener('touchstart', (e) => e.touches.length > 1 && block(e), { passive: false })
  document.addEventListener('gesturestart', block)
  document.documentElement.style.touchAction = 'manipulation'
}
