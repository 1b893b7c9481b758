/**
 * One entry of the browser's history per open cover (h5 only), so that going back is heard here before Taro's router
 * hears it. Entries follow `holds` a moment later: a cover that closes while another opens moves nothing.
 */

interface Hold {
  onBack: (byUser: boolean) => void
}
interface Entry {
  /** Taro's number of the page */
  idx?: unknown
  /** how many covers lie over it here */
  cover?: number
}

/** ms after which a browser that does not answer is not waited for */
const PATIENCE = 500
let holds: Hold[] = []
/** cover entries we stand on */
let depth = 0
/** length of the history with the newest cover on it: what is longer was added by a framed page under it */
let length = 0
/** the page they lie over */
let page: unknown
/** a step back of our own is on its way */
let moving: ReturnType<typeof setTimeout> | undefined
let planned: ReturnType<typeof setTimeout> | undefined
let waiting: (() => void)[] = []

const entryOf = (state: unknown) => (state ?? {}) as Entry

/** Nothing is left to do: whoever waits for that goes on. */
function settle() {
  const all = waiting
  waiting = []
  for (const go of all) go()
}

function arrived(at: number) {
  clearTimeout(moving)
  moving = undefined
  depth = at
}

/** Brings the entries to the number of covers. */
function sync() {
  clearTimeout(planned)
  planned = undefined
  if (moving !== undefined) return
  for (; depth < holds.length; depth++) {
    history.pushState({ ...history.state, cover: depth + 1 }, '')
    length = history.length
  }
  if (depth === holds.length) return settle()
  step(Math.max(0, history.length - length))
}

/** Back to where only the open covers lie. @param framed steps that a framed page may have put in between: going over them nobody tells */
function step(framed: number) {
  moving = setTimeout(() => {
    const at = entryOf(history.state).cover ?? 0
    if (at > holds.length && framed > 0) return step(framed - 1)
    arrived(at)
    settle()
  }, PATIENCE)
  history.go(holds.length - depth)
}

function plan() {
  planned ??= setTimeout(sync)
}

function onPop(e: PopStateEvent) {
  const { cover = 0 } = entryOf(e.state)
  const ours = moving !== undefined
  // entries of one page differ in their covers only
  if (!ours && cover === 0 && depth === 0) return
  // forwards to a cover that is gone
  if (depth === 0) page = entryOf(e.state).idx
  if (!ours && entryOf(e.state).idx !== page) {
    // other pages: their way is Taro's, and the covers go with the page they lie on
    holds = []
    arrived(0)
    return
  }
  e.stopImmediatePropagation()
  arrived(cover)
  if (!ours) for (const { onBack } of holds.splice(cover)) onBack(true)
  sync()
}

/** Called once, before the router listens: a page that was reloaded under a cover starts without it. */
export function listenForBack() {
  window.addEventListener('popstate', onPop, true)
  const entry = entryOf(history.state)
  page = entry.idx
  depth = entry.cover ?? 0
  // what a framed page had added before the reload is not known: one step, as for a sheet
  length = history.length
  if (depth > 0) sync()
}

/** Puts a cover on the way back; the answer takes it off again. */
export function hold(onBack: Hold['onBack']): () => void {
  const mine: Hold = { onBack }
  if (depth === 0) page = entryOf(history.state).idx
  holds.push(mine)
  sync()
  return () => {
    holds = holds.filter((one) => one !== mine)
    plan()
  }
}

export async function uncover() {
  const open = holds
  holds = []
  for (const { onBack } of open) onBack(false)
  if (depth === 0 && moving === undefined) return
  const done = new Promise<void>((resolve) => waiting.push(resolve))
  sync()
  await done
}
