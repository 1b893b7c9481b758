/** The unchanged build, compiled once and kept in .cache: WeChat's style compiler takes seconds. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { ChangeText } from './build'
import type { Compiled } from './bundle'
import { dist, filesOf } from './dist'

const cache = path.resolve('.cache/weapp-bundle')

/** Hash of the build, of the code that compiles it, and of the compilers' versions. */
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

/** `change` may replace the text of a file. @throws Error when there is no build, or a compiler refuses a file */
export async function compile(width: number, change?: ChangeText): Promise<Compiled> {
  // imported lazily: it loads TypeScript and two template compilers
  const { readBundle } = await import('./build')
  return readBundle(width, change)
}

/** The compiled bundle of the unchanged build. */
export async function preparedBundle(width: number): Promise<Compiled> {
  const file = path.join(cache, `${stateOfBuild(width)}.json`)
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Compiled
  const compiled = await compile(width)
  mkdirSync(cache, { recursive: true })
  // renamed into place, because another run may be reading it
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(compiled))
  renameSync(`${file}.${process.pid}`, file)
  return compiled
}
