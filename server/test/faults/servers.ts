/** Server processes under a supervisor: one that ends is started again, and whether it ended on its own is noted. */
import { type ServerProcess, startProcess } from '../process'

export interface Servers {
  /** addresses of those that said that they are ready and answer calls */
  urls(): string[]
  /** the same with workers, which only answer health checks and the sandbox's clock */
  all(): string[]
  /** unexpected exits: exit code or signal, with the last lines they printed */
  exits: string[]
  /** uncaught exceptions and unhandled rejections in everything they printed */
  uncaught(): string[]
  /** all lines of the logs */
  output(): string
  /** kill -9 of the one that runs longest, which is then started again */
  killOldest(): Promise<void>
  /** Waits until as many are ready as there should be. */
  ready(): Promise<void>
  /** pids, the longest running first */
  pids(): number[]
  /** SIGTERM to all; gives their exit codes */
  stop(): Promise<(number | string)[]>
}

interface Running {
  process: ServerProcess
  url: string | undefined
  isWorker: boolean
}

export interface ServersOptions {
  env: Record<string, string>
  /** environment of each process over `env`: one entry a process */
  each: readonly Record<string, string>[]
}

/** ms before a process that ended is started again, as a supervisor does */
const RESTART_AFTER = 500
/** starts of one suite: a server that cannot start must not be started for ever */
const MAX_STARTS = 200

/** Enough of the last lines to see why a process ended. */
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
