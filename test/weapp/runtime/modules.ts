/** Runs the app's scripts as the logic layer does: CommonJS files that see JavaScript, `wx`, and nothing of a browser. */
import { appConsole, problem } from './state'

/** Not there on every device although the language has them. */
const unreliable = ['Intl', 'WebAssembly', 'SharedArrayBuffer', 'Atomics', 'FinalizationRegistry', 'WeakRef']

const timers = {
  setTimeout: setTimeout.bind(window),
  clearTimeout: clearTimeout.bind(window),
  setInterval: setInterval.bind(window),
  clearInterval: clearInterval.bind(window),
}

/** Code from text is refused on a device; `instanceof Function` still works. */
function noCodeFromText(name: string) {
  const refuse = () => {
    problem(`${name}() from text is refused on a device`)
    throw new EvalError(`${name} is disabled`)
  }
  return new Proxy(Function, { apply: refuse, construct: refuse })
}

const isName = (name: string) => /^[A-Za-z_$][\w$]*$/.test(name)

/** Everything a page of a browser finds on its global object. */
function browserNames(): string[] {
  const names = new Set<string>()
  for (let o: object | null = window; o && o !== Object.prototype; o = Object.getPrototypeOf(o))
    for (const name of Object.getOwnPropertyNames(o)) names.add(name)
  return [...names].filter(isName)
}

export type Require = (file: string) => unknown

/**
 * @param scripts source by path with `.js`
 * @param language names the language defines (kept)
 * @param own what the mini-program adds: wx, App, Page, Component, getApp, …
 */
export function createRequire(
  scripts: Record<string, string>,
  language: string[],
  own: Record<string, unknown>,
): Require {
  const kept = language.filter(
    (n) => !unreliable.includes(n) && n !== 'globalThis' && n !== 'console' && n !== 'undefined',
  )
  const globals: Record<string, unknown> = { ...timers, ...own, console: appConsole }
  globals.Function = noCodeFromText('Function')
  globals.eval = noCodeFromText('eval')
  const shared: Record<string, unknown> = {}
  for (const name of kept) shared[name] = Reflect.get(window, name)
  Object.assign(shared, globals)
  globals.globalThis = shared
  globals.global = shared
  const hidden = browserNames().filter((n) => !kept.includes(n) && n !== 'undefined' && !(n in globals))
  const names = [...Object.keys(globals), ...hidden]
  const loaded = new Map<string, { exports: unknown }>()

  const load = (file: string): unknown => {
    const known = loaded.get(file)
    if (known) return known.exports
    const code = scripts[file]
    if (code === undefined) throw new Error(`module '${file}' is not defined`)
    const module = { exports: {} as unknown }
    loaded.set(file, module)
    const wrap = new Function(
      ...names,
      `return function (require, module, exports) {${code}\n}\n//# sourceURL=weapp/${file}`,
    )
    const body = wrap(...Object.values(globals)) as (r: Require, m: typeof module, e: unknown) => void
    body((target) => load(resolve(file, target)), module, module.exports)
    return module.exports
  }
  return load
}

/** Path of `target` as seen from `file`, with `.js`. */
function resolve(file: string, target: string): string {
  const base = target.startsWith('/') ? [] : file.split('/').slice(0, -1)
  for (const part of target.split('/')) {
    if (part === '..') base.pop()
    else if (part !== '.' && part !== '') base.push(part)
  }
  const joined = base.join('/')
  return joined.endsWith('.js') ? joined : `${joined}.js`
}
