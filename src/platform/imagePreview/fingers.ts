import { DOUBLE_TAP_BLOCK, LONG_PRESS_TOLERANCE, PREVIEW_SCALE_MIN } from '@/contract/constants'
import { clampToScreen, INITIAL_ZOOM, type Point, pinch, type Zoom, zoomAt } from './zoom'

/** factor a double tap goes to */
const CLOSE_UP = 2.5
/** px of horizontal movement that turn to the next picture */
const SWIPE = 60

/** A touch of a single finger. */
interface Alone {
  from: Point
  to: Point
}

const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y)

/**
 * Pinch, drag, double tap and swipe on `stage`, applied to `picture` (h5 only). @returns resets the picture's position
 * and scale
 */
export function attachGestures(stage: HTMLElement, picture: HTMLImageElement, swipe: (by: 1 | -1) => void) {
  const fingers = new Map<number, Point>()
  let zoom = INITIAL_ZOOM
  let alone: Alone | undefined
  let tapped: { at: number; where: Point } | undefined

  const placeOf = ({ clientX, clientY }: PointerEvent): Point => {
    const { left, top, width, height } = stage.getBoundingClientRect()
    return { x: clientX - left - width / 2, y: clientY - top - height / 2 }
  }
  const show = (next: Zoom) => {
    const { offsetWidth: width, offsetHeight: height } = picture
    zoom = clampToScreen(next, { width, height }, { width: stage.clientWidth, height: stage.clientHeight })
    picture.style.transform = `translate(${zoom.x}px,${zoom.y}px) scale(${zoom.scale})`
  }
  const held = (): [Point, Point?] | undefined => {
    const [a, b] = fingers.values()
    return a && [a, b]
  }
  const tap = (where: Point, at: number) => {
    const twice = tapped && at - tapped.at < DOUBLE_TAP_BLOCK && distance(tapped.where, where) < SWIPE
    tapped = twice ? undefined : { at, where }
    if (twice) show(zoomAt(zoom, zoom.scale > PREVIEW_SCALE_MIN ? PREVIEW_SCALE_MIN : CLOSE_UP, where))
  }
  const endGesture = ({ from, to }: Alone, at: number) => {
    const [dx, dy] = [to.x - from.x, to.y - from.y]
    if (distance(from, to) <= LONG_PRESS_TOLERANCE) tap(to, at)
    else if (zoom.scale === PREVIEW_SCALE_MIN && Math.abs(dx) > SWIPE && Math.abs(dx) > Math.abs(dy))
      swipe(dx < 0 ? 1 : -1)
  }

  stage.addEventListener('pointerdown', (e) => {
    const point = placeOf(e)
    alone = fingers.size === 0 ? { from: point, to: point } : undefined
    fingers.set(e.pointerId, point)
  })
  stage.addEventListener('pointermove', (e) => {
    const before = held()
    if (!before || !fingers.has(e.pointerId)) return
    fingers.set(e.pointerId, placeOf(e))
    if (alone) alone.to = placeOf(e)
    show(pinch(zoom, before, held() ?? before))
  })
  const up = (e: PointerEvent) => {
    const wasHeld = fingers.delete(e.pointerId)
    if (wasHeld && alone && e.type === 'pointerup') endGesture(alone, e.timeStamp)
    alone = undefined
  }
  for (const type of ['pointerup', 'pointercancel', 'pointerleave'] as const) stage.addEventListener(type, up)
  return () => show(INITIAL_ZOOM)
}
