/** Results of `wx` functions: callbacks if given, else a promise; always asynchronous. */
import { guarded } from '../state'

/** A failure in WeChat's format: `errMsg` becomes `<name>:fail <reason>`. */
export class Refused extends Error {
  constructor(
    readonly reason: string,
    readonly errno?: number,
    /** of the functions that number their failures on their own */
    readonly errCode?: number,
  ) {
    super(reason)
  }
}

interface Callbacks {
  success?(result: unknown): void
  fail?(error: unknown): void
  complete?(result: unknown): void
}

const callbacksOf = (options: unknown): Callbacks => (options ?? {}) as Callbacks

/** Settles the callbacks in `options` with the result of `work`; returns a promise if there are none. */
export function answer(name: string, options: unknown, work: Promise<unknown>): Promise<unknown> | undefined {
  const { success, fail, complete } = callbacksOf(options)
  const good = work.then((result) => ({ ...(result as object | undefined), errMsg: `${name}:ok` }))
  const done = good.catch((error: unknown) => {
    if (!(error instanceof Refused)) throw error
    const { reason, errno, errCode } = error
    const numbers = { ...(errno !== undefined && { errno }), ...(errCode !== undefined && { errCode }) }
    throw { errMsg: `${name}:fail ${reason}`.trim(), ...numbers }
  })
  if (!success && !fail && !complete) return done
  const answer = (which: Callbacks['success'], value: unknown) => {
    if (which) guarded(`wx.${name} callback`, () => which.call(options, value))
    if (complete) guarded(`wx.${name} complete`, () => complete.call(options, value))
  }
  void done.then(
    (value) => answer(success, value),
    (error) => answer(fail, error),
  )
  return undefined
}

export type Api = (...args: never[]) => unknown

/** A function of `wx` with one options object. `run` answers, or throws Refused. */
function call<O extends object>(name: string, run: (options: O) => unknown): Record<string, Api> {
  const api = (options: O = {} as O) =>
    answer(
      name,
      options,
      new Promise((resolve) => setTimeout(() => resolve(undefined))).then(() => run(options)),
    )
  return { [name]: api as Api }
}

/** Several such functions. */
export function calls(all: Record<string, (options: never) => unknown>): Record<string, Api> {
  return Object.assign({}, ...Object.entries(all).map(([name, run]) => call(name, run as (o: object) => unknown)))
}

/** A pair `onX` / `offX`, and a way to fire it. */
export function event<T>(name: string) {
  const listeners = new Set<(value: T) => void>()
  const api: Record<string, Api> = {
    [`on${name}`]: (listener: (value: T) => void) => void listeners.add(listener),
    [`off${name}`]: (listener?: (value: T) => void) => void (listener ? listeners.delete(listener) : listeners.clear()),
  }
  const fire = (value: T) => {
    for (const listener of [...listeners]) guarded(`wx.on${name}`, () => listener(value))
  }
  return { api, fire }
}
