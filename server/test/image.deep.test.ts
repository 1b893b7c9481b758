/** @group long */
/** The Dockerfile's instructions, carried out in empty folders, because tests have no container engine. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from './free-port'
import { root } from './temp'

/** ms: it builds the app and installs packages, beside other tests */
const TIME_LIMIT = 1_200_000
/** MB by `du`; the runtime and the models that read screenshots are 61 of them */
const MAX_SIZE = 230
/** uid and gid of `nobody`, in place of the image's user `node`; only root can start a process as somebody else */
const NOBODY = 65_534
const asRoot = process.getuid?.() === 0
const SIGN_SECRET = 'image-test-secret'

interface Instruction {
  name: string
  text: string
}

/** A file system under a folder, and what the instructions said. */
interface Stage {
  root: string
  workdir: string
  env: Record<string, string>
  command: string[]
  healthcheck: string[]
}

const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const linesOf = (text: string) => text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'))

function instructionsOfStages(): Instruction[][] {
  const stages: Instruction[][] = []
  for (const line of linesOf(read('Dockerfile').replaceAll('\\\n', ' '))) {
    const [, name = '', text = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    if (name === 'FROM') stages.push([])
    else stages.at(-1)?.push({ name, text })
  }
  return stages
}

/** What `docker build` sends, by .dockerignore. */
function copyContext(to: string): void {
  const rules = linesOf(read('.dockerignore')).filter((rule) => rule !== '*')
  const ignored = rules.filter((rule) => !rule.startsWith('!')).map((rule) => path.join(root, rule))
  const filter = (file: string) => !ignored.includes(file)
  for (const rule of rules.filter((rule) => rule.startsWith('!')).map((rule) => rule.slice(1)))
    cpSync(path.join(root, rule), path.join(to, rule), { recursive: true, filter })
}

/** Absolute paths of a command lead into the stage's folder. */
const placed = (text: string, stage: Stage) => text.replace(/(^|\s)\/(?=build|srv|data)/g, `$1${stage.root}/`)

function runIn(stage: Stage, text: string): void {
  // CI itself runs `npm ci` in a clean clone
  if (text.startsWith('npm ci')) {
    const [from, to] = [path.join(root, 'node_modules'), path.join(stage.workdir, 'node_modules')]
    // links are faster, where both are on one disk
    execFileSync('sh', ['-c', 'cp -al "$1" "$2" 2>/dev/null || cp -a "$1" "$2"', 'sh', from, to])
    return
  }
  const { PATH = '', HOME = '' } = process.env
  const command = placed(text, stage).replace('node:node', asRoot ? `${NOBODY}:${NOBODY}` : '$(id -u)')
  const env = { PATH, HOME, ...stage.env, SIGN_SECRET, ASSET_BASE: '' }
  const { status, stdout, stderr } = spawnSync('sh', ['-ec', command], { cwd: stage.workdir, env, encoding: 'utf8' })
  expect([text, status, status === 0 ? '' : stdout + stderr]).toEqual([text, 0, ''])
}

/** `COPY a b target`: files keep their name, the contents of a folder go into the target. */
function copy(stage: Stage, text: string, context: string, first?: Stage): void {
  const [, from, names = ''] = /^(--from=\w+ )?(.*)$/.exec(text) ?? []
  const sources = names.split(' ')
  const target = path.resolve(stage.workdir, placed(sources.pop() ?? '', stage))
  for (const source of sources) {
    const file = from && first ? placed(source, first) : path.join(context, source)
    cpSync(file, statSync(file).isFile() ? path.join(target, path.basename(file)) : target, { recursive: true })
  }
}

function carryOut(instructions: readonly Instruction[], root: string, context: string, first?: Stage): Stage {
  const stage: Stage = { root, workdir: root, env: {}, command: [], healthcheck: [] }
  mkdirSync(root)
  for (const { name, text } of instructions)
    if (name === 'WORKDIR') {
      stage.workdir = placed(text, stage)
      mkdirSync(stage.workdir, { recursive: true })
    } else if (name === 'COPY') copy(stage, text, context, first)
    // variables of the build have no value here
    else if (name === 'ENV')
      for (const [, key = '', value = ''] of text.matchAll(/(\w+)=([^$\s]+)/g)) stage.env[key] = placed(value, stage)
    else if (name === 'RUN') runIn(stage, text)
    else if (name === 'CMD') stage.command = JSON.parse(text)
    else if (name === 'HEALTHCHECK') stage.healthcheck = JSON.parse(text.replace(/^.* CMD /, ''))
    else expect(['LABEL', 'ARG', 'USER', 'EXPOSE']).toContain(name)
  return stage
}

/** Not in memory: installed packages are large. */
const folder = mkdtempSync(path.join(tmpdir(), 'valuation-image-'))
let server: ChildProcess | undefined
afterAll(() => {
  server?.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

test(
  'the image is made of its context alone, is small, and serves as a user without rights',
  async () => {
    chmodSync(folder, 0o755)
    const context = path.join(folder, 'context')
    copyContext(context)
    const [first = [], second = [], ...more] = instructionsOfStages()
    expect(more).toEqual([])
    const build = carryOut(first, path.join(folder, 'build-stage'), context)
    const { workdir, env, command, healthcheck } = carryOut(second, path.join(folder, 'image'), context, build)
    rmSync(build.root, { recursive: true })

    const kilobytes = Number(execFileSync('du', ['-sk', workdir], { encoding: 'utf8' }).split('\t')[0])
    const megabytes = (kilobytes * 1024) / 1e6
    process.stderr.write(`${megabytes.toFixed(0)} MB\n`)
    expect(megabytes).toBeLessThanOrEqual(MAX_SIZE)
    const modules = path.join(workdir, 'node_modules')
    for (const name of ['tsx', 'typescript', 'react', '@tarojs', 'jest'])
      expect([name, existsSync(path.join(modules, name))]).toEqual([name, false])

    const settings = {
      ...{ PATH: process.env.PATH ?? '', ...env, SIGN_SECRET, PUBLIC_URL: 'https://image.example' },
      ...{ IDENTITY_KEYS: `k1:${Buffer.alloc(32, 'image').toString('base64')}` },
      ...{ PORT: String(await freePort()), HOST: '127.0.0.1', DRAIN_SECONDS: '0' },
    }
    const user = asRoot ? { uid: NOBODY, gid: NOBODY } : {}
    const start = ([program = '', ...args]: readonly string[]) =>
      spawn(program, args, { cwd: workdir, env: settings, stdio: ['ignore', 'ignore', 'pipe'], ...user })
    server = start(command)
    let output = ''
    server.stderr?.on('data', (chunk) => {
      output += chunk
    })
    const ended = once(server, 'exit')
    for (let healthy = false; !healthy; ) {
      const [code] = await once(start(healthcheck), 'exit')
      healthy = code === 0
      if (server.exitCode !== null) throw new Error(output)
    }
    const page = await fetch(`http://127.0.0.1:${settings.PORT}/`)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<script')])
    server.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  },
  TIME_LIMIT,
)
