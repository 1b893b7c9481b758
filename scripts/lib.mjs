/** Helpers of the commands; only Node's own modules, because `npm start` runs before anything is installed. */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const cacheDir = path.join(root, '.cache')

// every command says how it is used by the comment at the head of its file
if (process.argv.includes('--help')) {
  const [, script, tool] = process.argv
  const file = script.endsWith('run.mjs') ? path.join(root, tool) : script
  const comment = /\/\*\*([\s\S]*?)\*\//.exec(readFileSync(file, 'utf8'))?.[1] ?? ''
  process.stdout.write(`${comment.replace(/^ \* ?/gm, '').trim()}\n`)
  process.exit(0)
}

/** One line of progress on standard error, so that piped output stays clean. */
export const say = (text) => process.stderr.write(`${text}\n`)

/** Exits with one sentence. @returns {never} */
export function fail(sentence) {
  say(`✗ ${sentence}`)
  process.exit(1)
}

/**
 * Runs a program and waits. With `quiet` its output is only shown if it fails. Start and end are each reported in one
 * line, since several programs may run in parallel.
 * @param {string} title empty: neither is reported
 * @param {string} command
 * @param {string[]} args
 * @param {{ quiet?: boolean, env?: Record<string, string>, cwd?: string, onLine?: (line: string) => void }} [options] `onLine`
 *   is told the last line of what was written, with `quiet`
 * @returns {Promise<{code:number, out:string}>}
 */
export function run(title, command, args, { quiet = false, env = {}, cwd = root, onLine } = {}) {
  return new Promise((resolve) => {
    const started = Date.now()
    if (title) say(`▸ ${title} …`)
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    })
    let out = ''
    for (const s of [child.stdout, child.stderr])
      s?.on('data', (d) => {
        out += d
        onLine?.(String(d).trimEnd().split('\n').at(-1) ?? '')
      })
    const end = (code) => {
      if (title) say(`▸ ${title} ${code === 0 ? '✓' : '✗'} ${((Date.now() - started) / 1000).toFixed(1)} s`)
      // in a terminal over the line of progress.mjs
      if (quiet && code !== 0) process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${out}` : out)
      resolve({ code, out })
    }
    child.on('error', (e) => {
      out += `${e.message}\n`
      end(127)
    })
    child.on('close', (code) => end(code ?? 1))
  })
}

export const bin = (name) => path.join(root, 'node_modules/.bin', name)

/**
 * Starts a compiled program of the server as a direct child process.
 * @param {string} name of its file in dist/server
 * @param {string[]} [args]
 * @param {import('node:child_process').SpawnOptions} [options]
 */
export const startCompiled = (name, args = [], options = {}) =>
  spawn(process.execPath, ['--enable-source-maps', path.join('dist/server', `${name}.js`), ...args], {
    cwd: root,
    stdio: 'inherit',
    ...options,
  })

/**
 * Starts a script that loads TypeScript; not by tsx's command, which kills children that do not react to a signal
 * within 60 ms.
 */
export const startTs = (args, env = {}) =>
  spawn(process.execPath, ['--import', 'tsx', ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env, TSX_TSCONFIG_PATH: path.join(root, 'server/tsconfig.json') },
  })

const read = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '')
export function write(file, text) {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/**
 * Whether npm's list of installed packages matches the lock file. Compared by content, since a checkout, a rebase or a
 * copied node_modules changes file times. Additional packages in the lock file are for other platforms.
 */
export function isInstalled(folder = root) {
  const packagesIn = (file) => JSON.parse(read(path.join(folder, file)) || '{"packages":{}}').packages
  const { '': _project, ...locked } = packagesIn('package-lock.json')
  const listed = packagesIn('node_modules/.package-lock.json')
  const isSame = (name) => ['version', 'integrity'].every((key) => listed[name][key] === locked[name][key])
  return (
    Object.keys(listed).every((name) => locked[name]) &&
    Object.keys(locked).every((name) => (listed[name] ? isSame(name) : locked[name].optional))
  )
}

/**
 * `npm ci`. The lock files name no registry, so that any can be used, and npm asks for the list of versions of a package
 * without an address before it downloads it, which is two thirds of the work. npm prefers npm-shrinkwrap.json to the lock
 * file; during the installation it is a copy with the addresses that registries derive from name and version.
 * @param {string} title reported unless empty
 * @param {string} folder of the lock file
 * @param {string[]} [args]
 * @returns {Promise<boolean>} whether the packages are installed
 */
export async function cleanInstall(title, folder, args = []) {
  const { out } = await run('', 'npm', ['config', 'get', 'registry'], { quiet: true, cwd: folder })
  const lock = JSON.parse(read(path.join(folder, 'package-lock.json')))
  for (const [place, locked] of Object.entries(lock.packages)) {
    const name = locked.name ?? place.replace(/^.*node_modules\//, '')
    if (locked.integrity)
      locked.resolved = new URL(`${name}/-/${path.basename(name)}-${locked.version}.tgz`, out.trim())
  }
  const shrinkwrap = path.join(folder, 'npm-shrinkwrap.json')
  writeFileSync(shrinkwrap, JSON.stringify(lock))
  const command = ['ci', '--no-audit', '--no-fund', '--loglevel=error', ...args]
  const { code } = await run(title, 'npm', command, { quiet: true, cwd: folder })
  rmSync(shrinkwrap)
  return code === 0
}

/** Installs the packages of the lock file. @param {string} [title] reported unless empty */
export async function install(title = '') {
  // NODE_ENV=production would omit the build tools
  if (!(await cleanInstall(title, root, ['--include=dev']))) fail('依赖安装失败：请检查网络或 npm 源后重试 npm ci。')
  return true
}

/** Installs the packages unless those of the lock file are installed. */
export const ensureInstalled = async () => isInstalled() || install('安装依赖')

function* filesOf(rel) {
  const full = path.join(root, rel)
  if (!existsSync(full)) return
  if (statSync(full).isFile()) return yield rel
  for (const name of readdirSync(full).sort()) yield* filesOf(path.join(rel, name))
}

/** SHA-256 of names and contents, in a fixed order. */
export function hashFiles(paths, extra = '') {
  const h = createHash('sha256').update(extra)
  for (const p of paths)
    for (const f of filesOf(p))
      h.update(f)
        .update('\0')
        .update(readFileSync(path.join(root, f)))
  return h.digest('hex')
}

const sourcesOfServer = ['server', 'src/contract', 'tsconfig.json', 'package.json', 'scripts/compile-server.mjs']
const sourcesOfApp = [
  'src',
  'config',
  'babel.config.js',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
  'project.config.json',
]
const stampOf = (target) => path.join(cacheDir, `built-${target}`)
/** Key of a build's current sources and settings. */
export const buildKey = (target) =>
  target === 'server'
    ? hashFiles(sourcesOfServer)
    : hashFiles(
        sourcesOfApp,
        `${target}|${process.env.API_BASE ?? ''}|${process.env.SIGN_SECRET ?? ''}|${process.env.GALLERY ?? ''}|${process.env.ASSET_BASE ?? ''}`,
      )

/** A file that every complete build contains. */
const made = { h5: 'index.html', weapp: 'app.json', server: 'main.js' }
export const targets = Object.keys(made)
export const isMade = (target) => existsSync(path.join(root, 'dist', target, made[target]))
export const isBuilt = (target) => isMade(target) && read(stampOf(target)) === buildKey(target)
/** @param {string} key computed before the build: later changes are not in it */
export const markBuilt = (target, key) => write(stampOf(target), key)

/** Full path of the first of these programs that exists, or undefined. */
export function which(...names) {
  for (const n of names) {
    const r = spawnSync('sh', ['-c', `command -v ${n}`], { encoding: 'utf8' })
    if (r.status === 0) return r.stdout.trim()
  }
  return undefined
}

/**
 * Installs a tool that has its own lock file, unless it is installed already.
 * @returns false if it cannot be installed here
 */
export async function installApart(folder, name) {
  if (isInstalled(folder)) return true
  const quick = ['--prefer-offline', '--fetch-timeout=30000', '--fetch-retries=1']
  return cleanInstall(`安装 ${name}`, folder, ['--ignore-scripts', ...quick])
}
