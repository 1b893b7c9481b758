/** Server processes under a supervisor, which restarts them and records unexpected exits. */
import { type ServerProcess, startProcess } from '../process'

export interface Servers {
  /** URLs of ready processes that serve calls */
  urls(): string[]
  /** URLs including workers, which only serve health checks and the sandbox's clock */
  all(): string[]
  /** unexpected exits: exit code or signal, with the last lines they printed */
  exits: string[]
  /** uncaught exceptions and unhandled rejections in everything they printed */
  uncaught(): string[]
  /** all lines of the logs */
  output(): string
  /** SIGKILL to the longest-running process, which is then restarted */
  killOldest(): Promise<void>
  /** Waits until all processes are ready. */
  ready(): Promise<void>
  /** pids, the longest running first */
  pids(): number[]
  /** SIGTERM to all. @returns their exit codes */
  stop(): Promise<(number | string)[]>
}

interface Running {
  process: ServerProcess
  url: string | undefined
  isWorker: boolean
}

export interface ServersOptions {
  env: Record<string, string>
  /** environment of each process, on top of `env` */
  each: readonly Record<string, string>[]
}

/** ms before a process that ended is started again, as a supervisor does */
const RESTART_AFTER = 500
/** maximum starts in a suite, for a server that cannot start */
const MAX_STARTS = 200

/** The last lines of output, to explain an exit. */
const lastLines = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .slice(-3)
    .map((line) => line.slice(0, 160))
    .join('\n')

export async function startServers({ env, each }: ServersOptions): Promise<Servers> {
  let running: Running[] = []
  let stopping = false
  let starts = 0
  const exits: string[] = []
  const outputs: (() => string)[] = []
  const expected = new Set<ServerProcess>()

  async function start(own: Record<string, string>): Promise<void> {
    starts += 1
    if (starts > MAX_STARTS) throw new Error(`more than ${MAX_STARTS} starts: ${exits.at(-1)}`)
    const process = startProcess({ LOG_LEVEL: 'warn', ...env, ...own })
    const entry: Running = { process, url: undefined, isWorker: own.PROCESS === 'worker' }
    running.push(entry)
    outputs.push(process.output)
    void process.ended.then((how) => {
      running = running.filter((r) => r !== entry)
      if (stopping) return
      if (!expected.has(process)) exits.push(`${how}: ${lastLines(process.output())}`)
      setTimeout(() => void (stopping || start(own).catch(() => undefined)), expected.has(process) ? 0 : RESTART_AFTER)
    })
    entry.url = await process.ready()
  }

  await Promise.all(each.map(start))

  return {
    urls: () => running.flatMap(({ url, isWorker }) => (isWorker ? [] : (url ?? []))),
    all: () => running.flatMap(({ url }) => url ?? []),
    exits,
    output: () => outputs.map((text) => text()).join('\n'),
    uncaught: () =>
      outputs
        .flatMap((text) => text().match(/.*(uncaught|unhandled|unexpected error, stopping).*/gi) ?? [])
        .map((line) => line.slice(0, 160)),
    async killOldest() {
      const victim = running[0]
      if (!victim) return
      expected.add(victim.process)
      victim.process.child.kill('SIGKILL')
      await victim.process.ended
    },
    async ready() {
      while (running.filter(({ url }) => url).length < each.length)
        await new Promise((resolve) => setTimeout(resolve, 50))
    },
    pids: () => running.flatMap(({ process }) => process.child.pid ?? []),
    async stop() {
      stopping = true
      const left = running.map(({ process }) => process)
      for (const { child } of left) child.kill('SIGTERM')
      const patience = setTimeout(() => {
        for (const { child } of left) child.kill('SIGKILL')
      }, 30_000)
      const codes = await Promise.all(left.map(({ ended }) => ended))
      clearTimeout(patience)
      return codes
    },
  }
}
