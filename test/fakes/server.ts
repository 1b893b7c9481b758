import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from '../../server/test/free-port'
import { marketFolder } from '../../server/test/prepared'
import { programOf } from '../../server/test/programs'
import { root } from '../../server/test/temp'

/** ms; on a busy machine a start takes a while */
const START_LIMIT_MS = 60_000
const STOP_LIMIT_MS = 20_000
const POLL_MS = 50

export interface ServerOptions {
  /** data folder; by default one with all games trained, which `stop()` removes */
  dataDir?: string
  /** port, for a restart at the same URL; by default a free one */
  port?: number
  /** additional environment, e.g. `{ AI_FREE_PER_DAY: '50' }` */
  env?: Record<string, string>
}

/** A running server, started by this process or by another. */
export interface RunningServer {
  /** `http://127.0.0.1:<port>`, no slash at the end */
  url: string
  port: number
  dataDir: string
  /** log file */
  logFile: string
  /** the server's output so far */
  log(): string
  /** the latest SMS code for a number, from the sandbox */
  smsCode(mobile: string): Promise<string>
}

export interface TestServer extends RunningServer {
  /** ends this process (default SIGTERM) and keeps the data folder; resolves with the exit code, null when killed */
  kill(signal?: NodeJS.Signals): Promise<number | null>
  /** kills the process if it is still running, and removes a temporary data folder */
  stop(): Promise<void>
}

function launch(port: number, dataDir: string, logFile: string, env: Record<string, string>): ChildProcess {
  const output = openSync(logFile, 'a')
  const { program, execArgv, env: own } = programOf('server/main.ts')
  // a single process without tsx's wrapper, so that SIGKILL reaches the server itself
  const child = spawn(process.execPath, [...execArgv, program], {
    cwd: root,
    stdio: ['ignore', output, output],
    env: {
      ...process.env,
      NODE_ENV: 'development',
      ...own,
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: dataDir,
      DATABASE_URL: '',
      SANDBOX: '1',
      DRAIN_SECONDS: '0',
      ...env,
    },
  })
  closeSync(output)
  return child
}

/** Requests to a running server, possibly started by another process. */
export function running({ port, dataDir, logFile }: Pick<TestServer, 'port' | 'dataDir' | 'logFile'>): RunningServer {
  const url = `http://127.0.0.1:${port}`
  const smsCode = async (mobile: string) => {
    const answer = await fetch(`${url}/sandbox/sms?mobile=${encodeURIComponent(mobile)}`)
    const body = (await answer.json()) as { code?: unknown }
    if (typeof body.code !== 'string') throw new Error(`no SMS code for ${mobile}: HTTP ${answer.status}`)
    return body.code
  }
  return { url, port, dataDir, logFile, smsCode, log: () => readFileSync(logFile, 'utf8') }
}

/** Polls `/readyz` until it returns 200. */
async function untilReady(url: string, hasEnded: () => boolean, log: () => string) {
  const deadline = Date.now() + START_LIMIT_MS
  while (Date.now() < deadline) {
    if (hasEnded()) throw new Error(`the server ended before it was ready:\n${log()}`)
    const ready = await fetch(`${url}/readyz`).then(
      (r) => r.ok,
      () => false,
    )
    if (ready) return
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  throw new Error(`the server was not ready within ${START_LIMIT_MS} ms:\n${log()}`)
}

/**
 * Starts the real server as its own process and waits until it is ready.
 * @throws Error with the server's output if it does not become ready
 */
export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const dataDir = options.dataDir ?? marketFolder()
  const port = options.port ?? (await freePort())
  const logFile = path.join(tmpdir(), `valuation-server-${process.pid}-${port}.log`)
  const child = launch(port, dataDir, logFile, options.env ?? {})
  let alive = true
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      alive = false
      resolve(code)
    })
  })
  const kill = async (signal: NodeJS.Signals = 'SIGTERM') => {
    if (alive) child.kill(signal)
    const force = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
    const code = await ended
    clearTimeout(force)
    return code
  }
  const stop = async () => {
    await kill()
    rmSync(logFile, { force: true })
    if (!options.dataDir) rmSync(dataDir, { recursive: true, force: true })
  }
  const server = running({ port, dataDir, logFile })
  try {
    await untilReady(server.url, () => !alive, server.log)
  } catch (error) {
    await stop()
    throw error
  }
  return { ...server, kill, stop }
}
