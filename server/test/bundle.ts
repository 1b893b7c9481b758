/**
 * The server and its tools compiled, as in production. `node --import tsx` spends two seconds of CPU time on
 * resolving and transpiling at every start, and tests start the server often.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'esbuild'
import { compileServer, programs } from '../../scripts/compile-server.mjs'
import bundled from '../../test/fakes/bundled'
import { cacheFolder } from './temp'

/** A thousand small files, which are a third of what a process computes until it is ready, from the bundles of jest. */
const onePackageOneFile: Plugin = {
  name: 'one package, one file',
  setup({ onResolve }) {
    const [file = ''] = Object.values(bundled)
    onResolve({ filter: /^(kysely|typebox(\/(compile|value))?)$/ }, ({ path: name }) => ({
      path: file.replace('$1', name),
      external: true,
    }))
  },
}

/**
 * Compiles the sources as they are now and names the folder in SERVER_BUNDLE, for this process and those it starts.
 * Folders are named by a hash of their content, so concurrent test runs do not interfere.
 */
export async function buildBundle(): Promise<void> {
  const folder = cacheFolder('bundle')
  const files = await compileServer(
    path.join(folder, 'any'),
    [...programs(), 'server/test/prepare.ts'],
    [onePackageOneFile],
  )
  const hash = createHash('sha256')
  for (const { path: file, contents } of files) hash.update(path.basename(file)).update(contents)
  const home = path.join(folder, hash.digest('hex').slice(0, 16))
  if (!existsSync(home)) {
    const fresh = `${home}-${process.pid}`
    mkdirSync(fresh, { recursive: true })
    for (const { path: file, contents } of files) writeFileSync(path.join(fresh, path.basename(file)), contents)
    try {
      renameSync(fresh, home)
    } catch {
      // another run has compiled it
      rmSync(fresh, { recursive: true, force: true })
    }
  }
  process.env.SERVER_BUNDLE = home
}
