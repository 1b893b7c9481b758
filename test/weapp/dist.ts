/** The build of the mini-program that is tested, or that of `WEAPP_DIST`. */
import { readdirSync } from 'node:fs'
import path from 'node:path'

export const dist = path.resolve(process.env.WEAPP_DIST ?? 'dist/weapp')
/** The API origin the app is built for; in tests, requests to it go to the test's server. */
export const builtFor = process.env.API_BASE ?? 'http://127.0.0.1:3000'

/** All files below `dir`, relative to it, with forward slashes. */
export function filesOf(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((e) => e.isFile())
    .map((e) => path.relative(dir, path.join(e.parentPath, e.name)).split(path.sep).join('/'))
    .sort()
}
