import { PREVIEW_SCALE_MAX, PREVIEW_SCALE_MIN } from '@/contract/constants'

/** px from the centre of the screen. */
export interface Point {
  x: number
  y: number
}
export interface Size {
  width: number
  height: number
}
/** Position of a picture: `scale` 1 fits the whole picture into the screen, x and y move its centre. */
export interface Zoom extends Point {
  scale: number
}

export const INITIAL_ZOOM: Zoom = { scale: PREVIEW_SCALE_MIN, x: 0, y: 0 }

export const clampScale = (scale: number) => Math.min(PREVIEW_SCALE_MAX, Math.max(PREVIEW_SCALE_MIN, scale))

/** Changes the scale; the point under `target` keeps its position. */
export function zoomAt(zoom: Zoom, scale: number, target: Point): Zoom {
  const next = clampScale(scale)
  const by = next / zoom.scale
  return { scale: next, x: target.x - (target.x - zoom.x) * by, y: target.y - (target.y - zoom.y) * by }
}

/** Limits the position so that edges do not leave the screen's edges. @param picture size at scale 1 */
export function clampToScreen(zoom: Zoom, picture: Size, screen: Size): Zoom {
  const clamp = (offset: number, length: number, room: number) => {
    const most = Math.max(0, (length * zoom.scale - room) / 2)
    return Math.min(most, Math.max(-most, offset))
  }
  return {
    scale: zoom.scale,
    x: clamp(zoom.x, picture.width, screen.width),
    y: clamp(zoom.y, picture.height, screen.height),
  }
}

const middle = ([a, b = a]: readonly [Point, Point?]): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 })
const spread = ([a, b]: readonly [Point, Point?]) => (b ? Math.hypot(a.x - b.x, a.y - b.y) : 0)

/** One finger drags, two also pinch; `from` and `to` are the same fingers before and after. */
export function pinch(zoom: Zoom, from: readonly [Point, Point?], to: readonly [Point, Point?]): Zoom {
  const [a, b] = [middle(from), middle(to)]
  const moved = { scale: zoom.scale, x: zoom.x + b.x - a.x, y: zoom.y + b.y - a.y }
  const before = spread(from)
  return before > 0 ? zoomAt(moved, (moved.scale * spread(to)) / before, b) : moved
}
