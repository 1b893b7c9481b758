/** The server's programs as JavaScript, one file each: for `npm run build:server`, and for tests that start them. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { build, stop } from 'esbuild'
import { root } from './lib.mjs'

/** Started by the server itself (server/program.ts). */
const children = ['server/jobs/train-child.ts', 'server/domains/reports/picture/draw.ts']

/** The server, what it starts, and the tools that package.json names. */
export function programs() {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const tools = Object.values(scripts).flatMap((script) => /\bserver\/cli\/[\w-]+\.ts\b/.exec(script) ?? [])
  return ['server/main.ts', ...children, ...tools]
}

/** Name of a program's file: `server/cli/migrate.ts` → `migrate`. */
const nameOf = (file) => path.basename(file, '.ts')

/**
 * Fixtures, fonts and contents stay where they are: `__dirname` is the folder of the source, found from the compiled file,
 * so the project may be moved as a whole. On the first line, so that line numbers stay.
 */
const ownFolder = (outdir) => ({
  name: 'own folder',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/](server|src)[\\/].*\.ts$/ }, ({ path: file }) => {
      const source = readFileSync(file, 'utf8')
      if (!source.includes('__dirname')) return undefined
      const folder = JSON.stringify(path.relative(outdir, path.dirname(file)))
      const own = `const __dirname = require('node:path').join(require('node:path').dirname(__filename), ${folder});`
      return { contents: `${own}${source}`, loader: 'ts' }
    })
  },
})

/**
 * @param {string} outdir folder in which the files will lie
 * @param {string[]} files of the programs, relative to the project
 * @returns {Promise<{ path: string, contents: Uint8Array }[]>} programs and their source maps, not written yet
 */
export async function compileServer(outdir, files) {
  const entries = Object.fromEntries(files.map((file) => [nameOf(file), file]))
  if (Object.keys(entries).length < files.length) throw new Error('two programs of the server have one name')
  const { outputFiles } = await build({
    entryPoints: entries,
    absWorkingDir: root,
    tsconfig: path.join(root, 'server/tsconfig.json'),
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    sourcemap: true,
    sourcesContent: false,
    outdir,
    write: false,
    logLevel: 'warning',
    plugins: [ownFolder(outdir)],
  })
  // its own process would stay until ours ends
  await stop()
  return outputFiles.map(({ path: file, contents }) => ({ path: file, contents }))
}
