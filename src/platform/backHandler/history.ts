/**
 * One history entry per open overlay (h5 only), so that going back is handled here before Taro's router
 * sees it. Entries are synchronised with `holds` asynchronously, so closing one overlay while opening another needs
 * none.
 */

interface Hold {
  onBack: (byUser: boolean) => void
}
interface Entry {
  /** Taro's number of the page */
  idx?: unknown
  /** number of overlays over the page at this entry */
  overlay?: number
}

/** time-out for the browser's popstate event */
const POPSTATE_TIMEOUT_MS = 500
let openOverlays: Hold[] = []
/** number of overlay entries at the current position */
let depth = 0
/** length of the history at the latest overlay; more entries were added by a framed page */
let length = 0
/** the covered page */
let page: unknown
/** set while our own step back is pending */
let moving: ReturnType<typeof setTimeout> | undefined
let planned: ReturnType<typeof setTimeout> | undefined
let waiting: (() => void)[] = []

const entryOf = (state: unknown) => (state ?? {}) as Entry

/** Resolves the waiting promises once everything is synchronised. */
function resolveWaiting() {
  const all = waiting
  waiting = []
  for (const go of all) go()
}

function arrived(reached: number) {
  clearTimeout(moving)
  moving = undefined
  depth = reached
}

/** Adjusts the number of history entries to the number of overlays. */
function sync() {
  clearTimeout(planned)
  planned = undefined
  if (moving !== undefined) return
  for (; depth < openOverlays.length; depth++) {
    history.pushState({ ...history.state, overlay: depth + 1 }, '')
    length = history.length
  }
  if (depth === openOverlays.length) return resolveWaiting()
  step(Math.max(0, history.length - length))
}

/**
 * Goes back to the entry of the open overlays. @param framed number of entries that a framed page may have added; the
 * browser does not report them
 */
function step(framed: number) {
  moving = setTimeout(() => {
    const current = entryOf(history.state).overlay ?? 0
    if (current > openOverlays.length && framed > 0) return step(framed - 1)
    arrived(current)
    resolveWaiting()
  }, POPSTATE_TIMEOUT_MS)
  history.go(openOverlays.length - depth)
}

function scheduleSync() {
  planned ??= setTimeout(sync)
}

function onPop(e: PopStateEvent) {
  const { overlay = 0 } = entryOf(e.state)
  const ours = moving !== undefined
  // entries of one page differ only in the number of overlays
  if (!ours && overlay === 0 && depth === 0) return
  // forward navigation to an overlay that was closed
  if (depth === 0) page = entryOf(e.state).idx
  if (!ours && entryOf(e.state).idx !== page) {
    // navigation to another page belongs to Taro's router; the overlays disappear with their page
    openOverlays = []
    arrived(0)
    return
  }
  e.stopImmediatePropagation()
  arrived(overlay)
  if (!ours) for (const { onBack } of openOverlays.splice(overlay)) onBack(true)
  sync()
}

/** Called once, before the router subscribes. A page reloaded under an overlay starts without the overlay. */
export function listenForBack() {
  window.addEventListener('popstate', onPop, true)
  const entry = entryOf(history.state)
  page = entry.idx
  depth = entry.overlay ?? 0
  // the number of entries a framed page added before the reload is unknown: one step, as for a sheet
  length = history.length
  if (depth > 0) sync()
}

/**
 * Goes `entries` back without Taro's router noticing; the caller then opens a page there. No overlay may be open.
 * Resolves when the browser has moved, or after the time-out.
 */
export function stepBack(entries: number): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    moving = setTimeout(() => {
      arrived(0)
      resolveWaiting()
    }, POPSTATE_TIMEOUT_MS)
    history.go(-entries)
  })
}

/** Adds a history entry for an overlay. @returns removes it */
export function pushOverlay(onBack: Hold['onBack']): () => void {
  const mine: Hold = { onBack }
  if (depth === 0) page = entryOf(history.state).idx
  openOverlays.push(mine)
  sync()
  return () => {
    openOverlays = openOverlays.filter((overlay) => overlay !== mine)
    scheduleSync()
  }
}

export async function closeOverlays() {
  const open = openOverlays
  openOverlays = []
  for (const { onBack } of open) onBack(false)
  if (depth === 0 && moving === undefined) return
  const done = new Promise<void>((resolve) => waiting.push(resolve))
  sync()
  await done
}
