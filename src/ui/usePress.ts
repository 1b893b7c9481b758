import { useEffect, useRef } from 'react'
import { LONG_PRESS, LONG_PRESS_TOLERANCE } from '@/contract/constants'

interface Finger {
  clientX: number
  clientY: number
}
/** Event of both platforms; Taro's own type lacks the touches. */
interface TouchEvent {
  type?: string
  touches?: ArrayLike<Finger>
}

/**
 * Long press (spec §9): one finger for 350 ms, moving at most 10 px. Put `touch` on the element and check `wasLong()`
 * in its tap handler: the tap that ends a long press must be ignored. Use it only for actions that can also be reached
 * otherwise: keyboards and screen readers have no long press.
 */
export function usePress(onLong: () => void) {
  const state = useRef<{ timer?: ReturnType<typeof setTimeout>; from?: Finger; long: boolean }>({ long: false }).current
  const end = () => {
    clearTimeout(state.timer)
    state.from = undefined
  }
  useEffect(() => () => clearTimeout(state.timer), [state])
  const touch = {
    onTouchStart({ touches = [] }: TouchEvent) {
      end()
      state.long = false
      const [finger] = Array.from(touches)
      if (!finger || touches.length > 1) return
      state.from = { clientX: finger.clientX, clientY: finger.clientY }
      state.timer = setTimeout(() => {
        state.long = true
        onLong()
      }, LONG_PRESS)
    },
    onTouchMove({ touches = [] }: TouchEvent) {
      const [finger] = Array.from(touches)
      const { from } = state
      if (!from || !finger) return
      if (Math.hypot(finger.clientX - from.clientX, finger.clientY - from.clientY) > LONG_PRESS_TOLERANCE) end()
    },
    onTouchEnd: end,
    onTouchCancel: end,
  }
  return {
    touch,
    /** Whether the touch that just ended was a long press; true only once per touch. */
    wasLong() {
      const { long } = state
      state.long = false
      return long
    },
  }
}
