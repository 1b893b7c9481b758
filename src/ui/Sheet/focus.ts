import { useCallback, useEffect, useRef } from 'react'

/** The DOM methods used here; nodes of a mini-program have none of them, so nothing happens there. */
interface Place {
  focus?: (o: { preventScroll: boolean }) => void
  contains?: (other: Place) => boolean
  querySelectorAll?: (selector: string) => ArrayLike<Place>
  getClientRects?: () => ArrayLike<unknown>
  ownerDocument?: { activeElement?: Place | null; body?: Place }
}

interface Tab {
  key?: string
  shiftKey?: boolean
  preventDefault(): void
}

const STOPS = '[tabindex="0"],input,textarea'

/** Focusable elements, in order. */
const stopsIn = (node: Place) =>
  Array.from(node.querySelectorAll?.(STOPS) ?? []).filter((stop) => (stop.getClientRects?.().length ?? 1) > 0)

/**
 * Focus trap of an overlay: `enter` moves the focus into the node (`ref`), `onTab` keeps it there, and on unmounting it
 * returns to the element that opened it. Call `enter` once the node is set up: Taro's elements move their children
 * during setup, which drops the focus.
 */
export function useFocusTrap() {
  const ref = useRef<Place>(null)
  useEffect(() => {
    const page = ref.current?.ownerDocument
    const before = page?.activeElement
    return () => {
      // the node has been removed, and the focus with it
      if (page?.activeElement === page?.body) before?.focus?.({ preventScroll: true })
    }
  }, [])
  const enter = useCallback(() => {
    const node = ref.current
    const now = node?.ownerDocument?.activeElement
    if (node && !(now && node.contains?.(now))) node.focus?.({ preventScroll: true })
  }, [])
  const onTab = useCallback((e: Tab) => {
    const node = ref.current
    if (e.key !== 'Tab' || !node) return
    const stops = stopsIn(node)
    const now = node.ownerDocument?.activeElement
    const index = now ? stops.indexOf(now) : -1
    const edge = e.shiftKey ? index <= 0 : index === stops.length - 1
    if (!edge) return
    e.preventDefault()
    stops[e.shiftKey ? stops.length - 1 : 0]?.focus?.({ preventScroll: false })
  }, [])
  return { ref, enter, onTab }
}
