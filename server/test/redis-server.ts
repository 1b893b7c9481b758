/** A separate Redis for a test file. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from './free-port'

const program = ['redis-server', 'valkey-server'].find(
  (name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0,
)

export interface TestRedis {
  url: string
  start(): Promise<void>
  stop(): Promise<void>
}

/** Whether something listens; asked without ioredis, whose failed connections keep the process for two seconds. */
const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })

/** Not started yet. @throws Error without a program: `npm test` installs it */
export async function createRedis(): Promise<TestRedis> {
  if (!program) throw new Error('redis-server is missing: run the tests by npm, which installs it')
  const port = await freePort()
  // without the server's limit for one command, which a busy machine exceeds (ioredis: anything but a number is none)
  const url = `redis://127.0.0.1:${port}?commandTimeout=none`
  let child: ChildProcess | undefined
  return {
    url,
    async start() {
      child = spawn(program, ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'], {
        stdio: 'ignore',
      })
      while (!(await accepts(port))) await delay(20)
    },
    async stop() {
      const running = child
      child = undefined
      if (!running) return
      running.kill('SIGKILL')
      await once(running, 'exit')
    },
  }
}
