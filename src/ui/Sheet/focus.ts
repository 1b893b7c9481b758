import { useCallback, useEffect, useRef } from 'react'

/** What of a DOM element this needs; a mini-program's node has none of it, and nothing happens there. */
interface Place {
  focus?: (o: { preventScroll: boolean }) => void
  contains?: (other: Place) => boolean
  ownerDocument?: { activeElement?: Place | null; body?: Place }
}

/**
 * For what covers the page: `enter` moves the keyboard's place into the node (`ref`), and when the node goes, the place
 * returns to what opened it. To be called once the node stands: Taro's elements move their children while they set up,
 * which drops the focus.
 */
export function useFocusInside() {
  const ref = useRef<Place>(null)
  useEffect(() => {
    const page = ref.current?.ownerDocument
    const before = page?.activeElement
    return () => {
      if (page?.activeElement === page?.body) before?.focus?.({ preventScroll: true })
    }
  }, [])
  const enter = useCallback(() => {
    const node = ref.current
    const now = node?.ownerDocument?.activeElement
    if (node && !(now && node.contains?.(now))) node.focus?.({ preventScroll: true })
  }, [])
  return { ref, enter }
}
