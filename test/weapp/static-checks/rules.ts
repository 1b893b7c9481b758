/** APIs, names and addresses that the scripts of a build may use, taken together. */

import { guarded, locations, mentioned, privacy, withdrawn } from './declared'
import { type Build, packageOf, resolved, type Violation, withEnding } from './files'
import { readScript } from './scripts'
import { privateInfos } from './structure'

export interface Settings {
  /** `https://host`: the address the build was made for */
  apiBase: string
  /** names of functions of `wx` in the official typings */
  official: readonly string[]
  /** the build is about to be uploaded, so what is allowed on a developer's machine is an error */
  release?: boolean
}

/** On `wx` besides functions, and what webpack puts there. */
const ofWx = new Set(['env', 'cloud', 'webpackJsonp'])

const isLoopback = (origin: string) => /^https?:\/\/(127\.0\.0\.1|localhost)(:|$)/.test(origin)

function* addresses(text: string, { apiBase, release }: Settings): Generator<string> {
  for (const [, origin = '', scheme] of text.matchAll(/((https?|wss?):\/\/[\w.:-]+)/g)) {
    if (mentioned.includes(origin)) continue
    if (origin !== apiBase) yield `${origin} is not a registered domain`
    else if (!/^(https|wss)$/.test(scheme ?? '') && !isLoopback(origin)) yield `${origin} is not encrypted`
    else if (release && isLoopback(origin)) yield `built for ${origin}: set API_BASE`
  }
}

function* ofScript(file: string, code: string, build: Build, settings: Settings): Generator<Violation> {
  const script = readScript(code, file)
  if (script.notEs5) return yield `${file}: not ES5, ${script.notEs5}`
  for (const violation of script.violations) yield `${file}: ${violation}`
  for (const name of script.ofWx)
    if (!ofWx.has(name) && !settings.official.includes(name)) yield `${file}: there is no wx.${name}`
  for (const name of withdrawn) if (script.ofWx.has(name)) yield `${file}: wx.${name} was withdrawn`
  for (const text of new Set(script.texts))
    for (const violation of addresses(text, settings)) yield `${file}: ${violation}`
  if (/adjustPosition:\s*(!1|false)/.test(code)) yield `${file}: a field that the keyboard covers (adjustPosition)`
  if (settings.release && script.texts.includes('dev-sign-secret')) yield `${file}: built without SIGN_SECRET`
  for (const target of script.required) {
    const path = resolved(file, target).replace(/(\.js)?$/, '.js')
    if (!build.has(path)) yield `${file}: requires ${path}, which is missing`
    else if (packageOf(path) !== 'main' && packageOf(file) === 'main')
      yield `${file}: requires ${path} of a sub-package`
  }
}

function* agreement(used: Set<string>, build: Build): Generator<Violation> {
  const named = new Set(Object.values(privacy).flat())
  for (const name of guarded) if (used.has(name) && !named.has(name)) yield `privacy agreement: does not name ${name}`
  for (const name of named) if (!used.has(name)) yield `privacy agreement: names ${name}, which nothing calls`
  const infos = privateInfos(build)
  for (const name of locations)
    if (used.has(name) && !infos.includes(name)) yield `app.json: requiredPrivateInfos lacks ${name}`
  for (const name of infos)
    if (!used.has(name)) yield `app.json: requiredPrivateInfos names ${name}, which nothing calls`
}

/** Reports are virtual goods: on an iPhone they are sold through Apple or not at all, as the server says. */
function* virtualGoods(texts: Set<string>, used: Set<string>): Generator<Violation> {
  const has = (name: string) => texts.has(name) || used.has(name)
  if (!has('requestPayment')) return
  if (!has('requestVirtualPayment')) yield 'virtual goods: requestPayment without requestVirtualPayment'
  if (!texts.has('signData')) yield 'virtual goods: the server is not asked which cashier it signed for'
  if (![...texts].some((t) => t.endsWith('/common/open-pay-status')))
    yield 'virtual goods: sold without asking open-pay-status'
}

/** @returns what is wrong with the scripts of the build */
export function scriptViolations(build: Build, settings: Settings): Violation[] {
  const scripts = withEnding(build, '.js')
  const violations = scripts.flatMap(([file, code]) => [...ofScript(file, code, build, settings)])
  const read = scripts.map(([file, code]) => readScript(code, file))
  const texts = new Set(read.flatMap((s) => s.texts))
  // Taro's own file lists every function there is
  const own = scripts.filter(([file]) => file !== 'taro.js').map(([file, code]) => readScript(code, file))
  const used = new Set(own.flatMap((s) => [...s.called, ...s.ofWx, ...s.openTypes]))
  return [...violations, ...agreement(used, build), ...virtualGoods(texts, used)]
}
