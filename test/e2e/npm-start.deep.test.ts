import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { freePort } from '../../server/test/free-port'
import { marketFolder } from '../../server/test/prepared'
import { root } from '../../server/test/temp'

/** `npm start` under a terminal, a supervisor and a container: every way of stopping it shuts the server down cleanly. */

let child: ChildProcess | undefined
let server: number | undefined
let folder: string | undefined

afterEach(() => {
  // npm with its shell and the command, and the server, each a group
  for (const group of [child?.pid, server])
    try {
      if (group) process.kill(-group, 'SIGKILL')
    } catch {
      // no process is left
    }
  if (folder) rmSync(folder, { recursive: true, force: true })
})

/** The server process below `pid`, at the end of the chain npm → shell → command. */
function serverBelow(pid: number, found = pid): number {
  const mine = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('dist/server/main.js') ? pid : found
  const child = Number.parseInt(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'), 10)
  return child ? serverBelow(child, mine) : mine
}

/** Runs `npm start` until it serves. `closed` resolves when no process holds its output open. */
async function npmStart(drainSeconds = 0) {
  folder = marketFolder()
  const port = await freePort()
  const { SERVER_BUNDLE: _bundle, ...env } = process.env
  const npm = spawn('npm', ['start'], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...env,
      ...{ NODE_ENV: 'development', HOST: '127.0.0.1', PORT: `${port}`, DATA_DIR: folder, DATABASE_URL: '' },
      ...{ SANDBOX: '1', DRAIN_SECONDS: `${drainSeconds}` },
    },
  })
  child = npm
  let words = ''
  const closed = new Promise<number | null>((resolve) => npm.once('close', resolve))
  await new Promise<void>((resolve, reject) => {
    for (const stream of [npm.stdout, npm.stderr])
      stream.on('data', (data) => {
        words += data
        if (words.includes('服务已就绪')) resolve()
      })
    void closed.then(() => reject(new Error(words)))
  })
  const pid = npm.pid as number
  server = serverBelow(pid)
  return { pid, server, closed, words: () => words }
}

it('SIGTERM to npm alone, as a container sends it, shuts the server down cleanly', async () => {
  const { pid, closed, words } = await npmStart()
  process.kill(pid, 'SIGTERM')
  await closed
  expect(words()).toContain('已停止')
})

it('SIGTERM to every process of npm, as a supervisor sends it, lets the server drain for the whole time', async () => {
  const { pid, closed, words } = await npmStart(3)
  const sent = performance.now()
  process.kill(-pid, 'SIGTERM')
  await closed
  expect(words()).toContain('已停止')
  expect(performance.now() - sent).toBeGreaterThan(3000)
})

it('Ctrl-C shuts the server down cleanly even while it is busy', async () => {
  const { pid, server, closed, words } = await npmStart()
  process.kill(server, 'SIGSTOP')
  process.kill(-pid, 'SIGINT')
  // longer than any wrapper waits before it sends SIGKILL
  await new Promise((resolve) => setTimeout(resolve, 1000))
  process.kill(server, 'SIGCONT')
  await closed
  expect(words()).toContain('已停止')
})
