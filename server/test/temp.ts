/** Folders for tests: in memory if there is enough of it, and a cache in the project that is kept between runs. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Jest and the npm scripts both run in the project's root; not every loader provides a file's path. */
export const root = process.cwd()

const MEMORY = '/dev/shm'
/** bytes: enough for the data folders of a few concurrent workers */
const MIN_MEMORY = 4 * 1024 ** 3

function hasEnoughMemory(): boolean {
  if (!existsSync(MEMORY)) return false
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize >= MIN_MEMORY
}

/** In memory (tmpfs) if possible: databases of tests write tens of megabytes each. */
const tempRoot = hasEnoughMemory() ? MEMORY : tmpdir()

/** An empty folder, to be removed by the caller. */
export const tempFolder = (prefix: string): string => mkdtempSync(path.join(tempRoot, prefix))

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Removes entries with this prefix that were not changed for `age` ms. */
function removeOld(folder: string, prefix: string, age: number): void {
  for (const entry of readdirSync(folder).filter((name) => name.startsWith(prefix))) {
    const full = path.join(folder, entry)
    const made = statSync(full, { throwIfNoEntry: false })
    if (made && Date.now() - made.mtimeMs > age) rmSync(full, { recursive: true, force: true })
  }
}

/** Removes the files of killed runs, which would occupy memory until the next boot. */
export function removeLeftovers(): void {
  for (const prefix of ['valuation-test-', 'valuation-pg-']) removeOld(tempRoot, prefix, 6 * HOUR)
}

/** `.cache/server-tests/NAME`, created if missing; entries not recreated for days are removed. */
export function cacheFolder(name: string): string {
  const folder = path.join(root, '.cache/server-tests', name)
  mkdirSync(folder, { recursive: true })
  removeOld(folder, '', 3 * DAY)
  return folder
}
