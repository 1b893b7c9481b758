/** Templates and style sheets: our own rules, and the official compilers. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import postcss from 'postcss'
import type { ComponentJson } from '../bundle'
import { officialCompiler } from '../official-compiler'
import { type Build, jsonOf, packageOf, remembered, resolved, type Violation, withEnding } from './files'

const control = 'template import include block wxs slot'
const builtIn =
  'view scroll-view swiper swiper-item movable-view movable-area cover-view cover-image match-media page-container root-portal share-element icon text rich-text progress button checkbox checkbox-group editor form input label picker picker-view picker-view-column radio radio-group slider switch textarea keyboard-accessory navigator functional-page-navigator audio camera image live-player live-pusher video voip-room map canvas web-view ad ad-custom official-account open-data page-meta navigation-bar'
const tags = new Set(`${control} ${builtIn}`.split(' '))

/** Taro handles all events with one function. */
const handlers = new Set(['eh', ''])

function* template(file: string, wxml: string, build: Build): Generator<string> {
  const own = jsonOf<ComponentJson>(build, file.replace(/wxml$/, 'json'))?.usingComponents ?? {}
  // base.wxml is part of every page and component
  const known = file === 'base.wxml' ? { ...own, comp: '' } : own
  for (const [, tag = ''] of wxml.matchAll(/<([a-zA-Z][\w-]*)/g))
    if (!tags.has(tag) && !(tag in known)) yield `unknown tag <${tag}>`
  for (const [, target = ''] of wxml.matchAll(/<(?:import|include|wxs)\b[^>]*\bsrc="([^"]*)"/g)) {
    const from = resolved(file, target)
    if (!build.has(from)) yield `${target} is missing`
    else if (packageOf(file) === 'main' && packageOf(from) !== 'main') yield `${target} lies in a sub-package`
  }
  for (const [, name = ''] of wxml.matchAll(/\b(?:bind|catch)[\w:]*="([^"{]*)"/g))
    if (!handlers.has(name)) yield `nobody listens as ${name}`
}

const selectors: [RegExp, string][] = [
  [/(^|[\s>+~(])\*/, 'universal selector'],
  [/\\/, 'escaped name'],
  [/:(is|where|has)\(/, 'selector list function'],
]

/** Rules of a sheet that WeChat's style engine rejects or ignores, one line each. */
export const refusedStyles = remembered((css: string): string[] => {
  const found: string[] = []
  let root: postcss.Root
  try {
    root = postcss.parse(css)
  } catch (error) {
    return [`not CSS: ${error instanceof Error ? error.message : String(error)}`]
  }
  root.walkRules((rule) => {
    // numbers and attribute values may contain any character
    const bare = rule.selector.replace(/\[[^\]]*\]|"[^"]*"/g, '')
    for (const [pattern, what] of selectors) if (pattern.test(bare)) found.push(`${what}: ${rule.selector}`)
  })
  root.walkDecls((decl) => {
    for (const [, target = ''] of decl.value.matchAll(/url\(\s*['"]?([^'")]*)/g))
      if (!/^(data:|https:)/.test(target)) found.push(`local file: ${decl.toString()}`)
  })
  return found
})

function* sheet(file: string, css: string, build: Build): Generator<string> {
  yield* refusedStyles(css, file)
  for (const [, target = ''] of css.matchAll(/@import\s+["']([^"']+)/g))
    if (!build.has(resolved(file, target))) yield `imports ${target}, which is missing`
}

/** Writes these texts into a folder and runs an official compiler on them. @returns its error message, if any */
function compiled(program: 'wcc' | 'wcsc', files: [string, string][], args: (names: string[]) => string[]): string[] {
  const dir = mkdtempSync(path.join(tmpdir(), 'static-checks-'))
  try {
    for (const [file, text] of files) {
      mkdirSync(path.dirname(path.join(dir, file)), { recursive: true })
      writeFileSync(path.join(dir, file), text)
    }
    const names = files.map(([file]) => file)
    const r = spawnSync(officialCompiler(program), args(names), {
      cwd: dir,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    })
    return r.status === 0
      ? []
      : [`${program}: ${(r.stderr || r.stdout || r.error?.message || '').trim().slice(0, 300)}`]
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** results by content: the same files compile the same way */
const compiles = remembered((packed: string, program: string): string[] => {
  const files = JSON.parse(packed) as [string, string][]
  if (program === 'wcc') return compiled('wcc', files, (names) => ['-d', '-cc', '0', ...names, '-gn', '$gwx'])
  return compiled('wcsc', files, (names) => ['-js', ...names])
})

/** @returns what is wrong with templates and style sheets of the build */
export function markupViolations(build: Build): Violation[] {
  const templates = withEnding(build, '.wxml')
  const sheets = withEnding(build, '.wxss')
  const named = (file: string, violations: Iterable<string>) =>
    [...violations].map((violation) => `${file}: ${violation}`)
  return [
    ...templates.flatMap(([file, wxml]) => named(file, template(file, wxml, build))),
    ...sheets.flatMap(([file, css]) => named(file, sheet(file, css, build))),
    ...compiles(JSON.stringify(withEnding(build, '.wxml', '.wxs')), 'wcc'),
    ...compiles(JSON.stringify(sheets), 'wcsc'),
  ]
}
