/** State of the phone, and records for the driver. */
import type { Counters, Phone, Pictures } from './host'

export const phone: Phone = {
  online: true,
  loginCode: undefined,
  phoneCode: undefined,
  album: undefined,
  privacyDeclared: true,
  albumAllowed: true,
  privacyAgreed: true,
  templates: {},
  messages: true,
  ad: true,
  apple: undefined,
  prefetched: undefined,
  domains: [],
}

export const pictures: Pictures = { builtFor: '', at: '' }

/** Errors of the app, and requests for functions the harness does not have. Tests expect none. */
export const problems: string[] = []
export const toasts: string[] = []
export const counters: Counters = { calls: 0, bytes: 0 }

let tapping = false

/** Whether a tap is being handled: some functions of WeChat must be called within a tap. */
export const inTap = () => tapping

/** Runs the app's handler of a tap. */
export function asTap(run: () => void) {
  tapping = true
  try {
    run()
  } finally {
    tapping = false
  }
}

let lastActivity = performance.now()
let underWay = 0

/** ms */
const TURN_MS = 15
/** Turns of the event loop without activity before the app counts as quiet. */
const QUIET_TURNS = 10
let turns = 0
let counting: ReturnType<typeof setTimeout> | undefined

/** After a pause of a busy machine the app's timers run before these. */
function count() {
  turns += 1
  counting = turns < QUIET_TURNS ? setTimeout(count, TURN_MS) : undefined
}

export function active() {
  lastActivity = performance.now()
  turns = 0
  if (counting === undefined) counting = setTimeout(count, TURN_MS)
}

/** Counts `work` as something the app waits for. */
export async function during<T>(work: Promise<T>): Promise<T> {
  underWay += 1
  try {
    return await work
  } finally {
    underWay -= 1
    active()
  }
}

export const quietFor = () => (underWay > 0 || turns < QUIET_TURNS ? 0 : performance.now() - lastActivity)

const textOf = (value: unknown) =>
  value instanceof Error ? `${value.message}\n${value.stack ?? ''}` : typeof value === 'string' ? value : inspect(value)

function inspect(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return String(value)
  }
}

export function problem(...what: unknown[]) {
  problems.push(what.map(textOf).join(' '))
}

/** Runs the app's code; exceptions are recorded instead of stopping the harness. */
export function guarded<T>(where: string, run: () => T): T | undefined {
  try {
    return run()
  } catch (error) {
    problem(`${where}:`, error)
    return undefined
  }
}

/** The app's console: errors and warnings of React and Taro count as problems, the rest is ignored. */
export const appConsole = {
  ...console,
  error: (...args: unknown[]) => problem('console.error:', ...args),
}

/** Counts one setData the way WeChat does: the length of its JSON, which is also all that arrives on the other side. */
export function throughJson(data: unknown): unknown {
  const json = JSON.stringify(data) ?? '{}'
  const bytes = new TextEncoder().encode(json).length
  counters.calls += 1
  counters.bytes += bytes
  active()
  if (bytes > 1024 * 1024) problem(`setData of ${bytes} bytes: WeChat refuses more than 1 MB`)
  return JSON.parse(json)
}

/** Shown page-containers, newest last: the way back closes the newest instead of leaving the page. */
export const covers = new Set<{ dom: HTMLElement; close(): void }>()

/** Closes the newest container that is still on the page. */
export function closeCover(): boolean {
  const top = [...covers].filter(({ dom }) => dom.isConnected).at(-1)
  top?.close()
  return top !== undefined
}
