/**
 * The server and its tools as one JavaScript file each. `node --import tsx` spends two seconds of computing on
 * resolving and transpiling at every start, and tests start the server often.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { build, type Plugin } from 'esbuild'
import { nameOf } from './programs'
import { cacheFolder, root } from './temp'

/** Programs that tests start, relative to the project. */
const programs = () => [
  'server/main.ts',
  'server/jobs/train-child.ts',
  'server/rooms/evaluation/picture/draw.ts',
  'server/test/prepare.ts',
  ...readdirSync(path.join(root, 'server/cli'))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => `server/cli/${name}`),
]

/** Keeps `__dirname` what it is in the sources: fixtures, fonts and contents are read from there. */
const ownFolder: Plugin = {
  name: 'own folder',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/](server|src)[\\/].*\.ts$/ }, ({ path: file }) => {
      const source = readFileSync(file, 'utf8')
      if (!source.includes('__dirname')) return undefined
      // the program that the server itself starts lies beside the bundle that starts it
      const contents = source.replace(/path\.join\(__dirname, '([\w-]+)\.ts'\)/g, (_, name) => {
        const beside = nameOf(path.relative(root, path.join(path.dirname(file), `${name}.ts`)))
        return `path.join(path.dirname(process.argv[1] ?? ''), '${beside}')`
      })
      return { contents: `const __dirname = ${JSON.stringify(path.dirname(file))}\n${contents}`, loader: 'ts' }
    })
  },
}

/**
 * Bundles the sources as they are now and names the folder in SERVER_BUNDLE, for this process and those it starts.
 * Folders are named after their content: test runs at the same time do not disturb each other.
 */
export async function buildBundle(): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: programs().map((file) => ({ in: file, out: nameOf(file).slice(0, -'.js'.length) })),
    absWorkingDir: root,
    tsconfig: path.join(root, 'server/tsconfig.json'),
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    outdir: 'bundle',
    write: false,
    logLevel: 'warning',
    plugins: [ownFolder],
  })
  const hash = createHash('sha256')
  for (const { path: file, contents } of outputFiles) hash.update(path.basename(file)).update(contents)
  const home = path.join(cacheFolder('bundle'), hash.digest('hex').slice(0, 16))
  if (!existsSync(home)) {
    const fresh = `${home}-${process.pid}`
    mkdirSync(fresh, { recursive: true })
    for (const { path: file, contents } of outputFiles) writeFileSync(path.join(fresh, path.basename(file)), contents)
    try {
      renameSync(fresh, home)
    } catch {
      // another run was first
      rmSync(fresh, { recursive: true, force: true })
    }
  }
  process.env.SERVER_BUNDLE = home
}
