/** What can be told from the built files alone. */
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'acorn'
import postcss from 'postcss'
import { dist, filesOf } from './build'

const uploaded = (file: string) => !/LICENSE\.txt$|\.map$|^project\.config\.json$/.test(file)

/** Bytes of each package as uploaded, not packed. */
export function packageBytes(): { main: number; pagesA: number } {
  const bytes = { main: 0, pagesA: 0 }
  for (const file of filesOf(dist).filter(uploaded))
    bytes[file.startsWith('pagesA/') ? 'pagesA' : 'main'] += statSync(path.join(dist, file)).size
  return bytes
}

/** Texts of the built files with this ending, by path. */
export function built(ending: string): [file: string, text: string][] {
  return filesOf(dist)
    .filter((file) => file.endsWith(ending))
    .map((file) => [file, readFileSync(path.join(dist, file), 'utf8')])
}

/** Why a script is not ES5, the syntax every device runs; undefined when it is. */
export function notEs5(code: string): string | undefined {
  try {
    parse(code, { ecmaVersion: 5 })
    return undefined
  } catch (error) {
    return String(error)
  }
}

const refusedSelectors: [RegExp, string][] = [
  [/(^|[\s>+~(])\*/, 'universal selector'],
  [/\\/, 'escaped name'],
  [/:(is|where|has)\(/, 'selector list function'],
]

/** What WeChat's style engine refuses or ignores in a sheet, one line each. */
export function refusedStyles(css: string): string[] {
  const found: string[] = []
  const root = postcss.parse(css)
  root.walkRules((rule) => {
    // numbers and attribute values may hold any sign
    const bare = rule.selector.replace(/\[[^\]]*\]|"[^"]*"/g, '')
    for (const [pattern, what] of refusedSelectors) if (pattern.test(bare)) found.push(`${what}: ${rule.selector}`)
  })
  root.walkDecls((decl) => {
    for (const [, target = ''] of decl.value.matchAll(/url\(\s*['"]?([^'")]*)/g))
      if (!/^(data:|https:)/.test(target)) found.push(`local file: ${decl.toString()}`)
  })
  return found
}
