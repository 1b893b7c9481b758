/** The bundle of the unchanged build, compiled once and kept in .cache: WeChat's style compiler takes seconds. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { ChangeText } from './build'
import { dist, filesOf } from './dist'

const cache = path.resolve('.cache/weapp-bundle')

/** Of the build, of the code that compiles it, and of the compilers' versions. */
function stateOfBuild(width: number): string {
  const hash = createHash('sha256').update(`${width} ${process.version}`)
  hash.update(readFileSync('package-lock.json')).update(readFileSync('test/weapp/build.ts'))
  for (const file of filesOf(dist))
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(path.join(dist, file)))
  return hash.digest('hex').slice(0, 16)
}

/** The compiled build as a script that leaves it in `window`; `change` may put another text in place of a file's. */
export async function compile(width: number, change?: ChangeText): Promise<string> {
  // loads TypeScript and two template compilers: only where something is compiled
  const { readBundle } = await import('./build')
  const { bundle, templates } = readBundle(width, change)
  return `window.hostBundle=${JSON.stringify(bundle)};window.hostTemplates=${templates}`
}

/** The same for the unchanged build. @throws Error when there is no build, or a compiler refuses a file */
export async function preparedBundle(width: number): Promise<string> {
  const file = path.join(cache, `${stateOfBuild(width)}.js`)
  if (existsSync(file)) return readFileSync(file, 'utf8')
  const text = await compile(width)
  mkdirSync(cache, { recursive: true })
  // whole or not at all: another worker may be reading
  writeFileSync(`${file}.${process.pid}`, text)
  renameSync(`${file}.${process.pid}`, file)
  return text
}
