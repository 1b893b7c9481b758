/** Runs the app's scripts as the logic layer does: CommonJS files that see JavaScript and `wx`, but no browser API. */
import { appConsole, problem } from './state'

/** part of the language, but missing on some devices */
const unreliable = ['Intl', 'WebAssembly', 'SharedArrayBuffer', 'Atomics', 'FinalizationRegistry', 'WeakRef']

const timers = {
  setTimeout: setTimeout.bind(window),
  clearTimeout: clearTimeout.bind(window),
  setInterval: setInterval.bind(window),
  clearInterval: clearInterval.bind(window),
}

/** A device refuses code from text; `instanceof Function` still works. */
function noCodeFromText(name: string) {
  const refuse = () => {
    problem(`${name}() from text is refused on a device`)
    throw new EvalError(`${name} is disabled`)
  }
  return new Proxy(Function, { apply: refuse, construct: refuse })
}

const isName = (name: string) => /^[A-Za-z_$][\w$]*$/.test(name)

/** all globals of a browser page */
function browserNames(): string[] {
  const names = new Set<string>()
  for (let o: object | null = window; o && o !== Object.prototype; o = Object.getPrototypeOf(o))
    for (const name of Object.getOwnPropertyNames(o)) names.add(name)
  return [...names].filter(isName)
}

export type Require = (file: string) => unknown

type Body = (require: Require, module: { exports: unknown }, exports: unknown) => void

/** The app's files as CommonJS functions, within a function that takes the values of `names`. */
export interface Code {
  names: readonly string[]
  files: (...values: unknown[]) => Record<string, Body>
}

/** Globals that the mini-program adds to the language. */
const ownNames = ['wx', 'App', 'getApp', 'getCurrentPages', 'Page', 'Component', 'Behavior'] as const
export type Own = Partial<Record<(typeof ownNames)[number], unknown>>

/** Globals that the harness itself puts on the page. */
const harnessNames = ['hostBundle', 'hostCode', 'hostTemplates', 'hostLaunch', 'hostHttp', 'hostAbort', 'probe']

const keptOf = (language: readonly string[]) =>
  language.filter((n) => !unreliable.includes(n) && n !== 'globalThis' && n !== 'console' && n !== 'undefined')

function globalsOf(language: readonly string[], own: Own): Record<string, unknown> {
  const globals: Record<string, unknown> = { ...timers, ...own, console: appConsole }
  globals.Function = noCodeFromText('Function')
  globals.eval = noCodeFromText('eval')
  const shared: Record<string, unknown> = {}
  for (const name of keptOf(language)) shared[name] = Reflect.get(window, name)
  Object.assign(shared, globals)
  globals.globalThis = shared
  globals.global = shared
  return globals
}

/**
 * Every global whose browser meaning must be hidden from the app's files. @param language names the language
 * defines
 */
export function namesOf(language: readonly string[]): string[] {
  const kept = keptOf(language)
  const hidden = [...browserNames(), ...harnessNames].filter((n) => !kept.includes(n) && n !== 'undefined')
  return [...new Set([...Object.keys(globalsOf(language, {})), ...ownNames, ...hidden])]
}

/** Runs the app's files on demand, each once. @param language names the language defines (kept) */
export function createRequire({ names, files }: Code, language: readonly string[], own: Own): Require {
  const globals = globalsOf(language, own)
  const bodies = files(...names.map((name) => globals[name]))
  const loaded = new Map<string, { exports: unknown }>()
  const load = (file: string): unknown => {
    const known = loaded.get(file)
    if (known) return known.exports
    const body = bodies[file]
    if (!body) throw new Error(`module '${file}' is not defined`)
    const module = { exports: {} as unknown }
    loaded.set(file, module)
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
