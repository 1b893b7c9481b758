/** Queries the visible page as a user does: by texts and labels. Waits for responses of the fake server. */
import { act, flush } from './taro'

/** ms; only a failing test waits that long, and a busy machine may need it */
const PATIENCE = 60_000

const all = (root: ParentNode = document.body) => [...root.querySelectorAll<HTMLElement>('*')]

/** All text of the page. */
export const shown = () => (document.body.textContent ?? '').replace(/\s+/g, ' ')

/** The innermost element whose text is exactly `text`. */
export function find(text: string): HTMLElement | undefined {
  return all()
    .filter((el) => (el.textContent ?? '').trim() === text || el.getAttribute('aria-label') === text)
    .pop()
}

function need(text: string): HTMLElement {
  const el = find(text)
  if (!el) throw new Error(`"${text}" is not on the page: ${shown()}`)
  return el
}

/** looks without a pause between them: enough for promises and effects; later ones wait for timers */
const QUICK_LOOKS = 10
/** ms between the later looks: looking all the time is most of what a test costs that waits for a timer */
const LATER_LOOKS = 15

/** Waits until `done` is true; fails with the page's text. */
export async function until(done: () => boolean, what: string) {
  const deadline = Date.now() + PATIENCE
  for (let looks = 0; Date.now() < deadline; looks++) {
    if (done()) return
    await flush(looks < QUICK_LOOKS ? 0 : LATER_LOOKS)
  }
  throw new Error(`waited in vain for ${what}: ${shown()}`)
}

export const untilShown = (text: string) => until(() => shown().includes(text), `"${text}"`)
export const untilGone = (text: string) => until(() => !shown().includes(text), `the end of "${text}"`)

export async function tap(text: string) {
  const el = need(text)
  await act(() => void el.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true })))
  await flush()
}

type Box = HTMLInputElement | HTMLTextAreaElement

const findBox = (label: string) =>
  [...document.querySelectorAll<Box>('input, textarea')].find((el) =>
    (el.getAttribute('aria-label') ?? '').startsWith(label),
  )

/** Taro's inputs are custom elements that render asynchronously. */
export const untilBox = (label: string) => until(() => findBox(label) !== undefined, `the box "${label}"`)

/** The native input whose accessible name is `label` (possibly followed by a unit). */
export function box(label: string): Box {
  const found = findBox(label)
  if (!found) throw new Error(`no box "${label}" on the page: ${shown()}`)
  return found
}

/** Replaces the input's text; `leave` also blurs it. */
export async function type(label: string, text: string, { leave = false } = {}) {
  await untilBox(label)
  const el = box(label)
  await act(() => {
    el.focus()
    el.value = text
    el.dispatchEvent(new Event('input', { bubbles: true, cancelable: true }))
  })
  await flush()
  if (leave) await leaveBox(label)
}

export async function leaveBox(label: string) {
  const el = box(label)
  await act(() => void el.dispatchEvent(new FocusEvent('blur')))
  await flush()
}

/** All live announcements for a screen reader. */
export const alerts = () => [...document.querySelectorAll('[role=alert]')].map((el) => (el.textContent ?? '').trim())
