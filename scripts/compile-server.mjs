/**
 * Compiles the server's programs to one JavaScript file each: for `npm run build:server`, and for tests that start
 * them.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { build, stop } from 'esbuild'
import { root } from './lib.mjs'

/** Programs started by the server itself (server/core/child-program.ts). */
const children = [
  'server/jobs/train-child.ts',
  'server/domains/reports/picture/draw.ts',
  'server/providers/storage/reencode.ts',
  'server/providers/ocr/paddle/ocr-child.ts',
]

/** The server, the programs it starts, and the tools named in package.json. */
export function programs() {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const tools = Object.values(scripts).flatMap((script) => /\bserver\/cli\/[\w-]+\.ts\b/.exec(script) ?? [])
  return ['server/main.ts', ...children, ...tools]
}

/** Name of a program's file: `server/cli/migrate.ts` → `migrate`. */
const nameOf = (file) => path.basename(file, '.ts')

/**
 * Fixtures, fonts and content are not copied: `__dirname` is the source's folder, relative to the compiled file, so the
 * project can be moved as a whole. It is defined on the first line to preserve line numbers.
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
 * @param {string} outdir output folder of the files
 * @param {string[]} files of the programs, relative to the project
 * @param {import('esbuild').Plugin[]} plugins
 * @returns {Promise<{ path: string, contents: Uint8Array }[]>} programs and their source maps, not yet written
 */
export async function compileServer(outdir, files, plugins = []) {
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
    plugins: [ownFolder(outdir), ...plugins],
  })
  // esbuild's process would otherwise run until ours ends
  await stop()
  return outputFiles.map(({ path: file, contents }) => ({ path: file, contents }))
}
