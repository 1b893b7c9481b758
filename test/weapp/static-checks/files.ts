/** The built mini-program as plain data, so that rules can be tested with fabricated builds. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { dist, filesOf } from '../dist'

/** Content by path inside the mini-program, without leading slash. */
export type Build = Map<string, Buffer>

/** Findings, as `file: sentence`. */
export type Violation = string

/** Files that WeChat packs and sends to a phone. */
const uploaded = (file: string) => !/LICENSE\.txt$|^project\.config\.json$/.test(file)

/** @returns every file of `dist/weapp` that is uploaded */
export function readBuild(): Build {
  return new Map(
    filesOf(dist)
      .filter(uploaded)
      .map((f) => [f, readFileSync(path.join(dist, f))]),
  )
}

export const textOf = (build: Build, file: string): string | undefined => build.get(file)?.toString('utf8')

export const withEnding = (build: Build, ...endings: string[]): [file: string, text: string][] =>
  [...build]
    .filter(([file]) => endings.some((e) => file.endsWith(e)))
    .map(([file, content]) => [file, content.toString('utf8')])

/** The JSON of a file; undefined when it is missing or broken (which is a violation of its own). */
export function jsonOf<T>(build: Build, file: string): T | undefined {
  const text = textOf(build, file)
  if (text === undefined) return undefined
  try {
    return JSON.parse(text) as T
  } catch {
    return undefined
  }
}

/** Path of `target` as seen from `file`. */
export const resolved = (file: string, target: string) =>
  target.startsWith('/') ? target.slice(1) : path.posix.join(path.posix.dirname(file), target)

/** Package a file belongs to: the root of the sub-package, or the main one. */
export const packageOf = (file: string) => (file.startsWith('pagesA/') ? 'pagesA' : 'main')

/** Bytes of each package as uploaded, not packed. */
export function packageBytes(build: Build): { main: number; pagesA: number } {
  const bytes = { main: 0, pagesA: 0 }
  for (const [file, content] of build) bytes[packageOf(file)] += content.length
  return bytes
}

/** Memoises `look` by text: most files are the same in every build under test. */
export function remembered<T>(look: (text: string, file: string) => T): (text: string, file: string) => T {
  const known = new Map<string, T>()
  return (text, file) => {
    const key = `${file}\0${text}`
    const found = known.get(key)
    if (found !== undefined) return found
    const made = look(text, file)
    known.set(key, made)
    return made
  }
}
