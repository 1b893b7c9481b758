/** A separate Redis for a test file. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { openRedis } from '../redis/client'
import { freePort } from './postgres'

const program = ['redis-server', 'valkey-server'].find(
  (name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0,
)

export interface TestRedis {
  url: string
  start(): Promise<void>
  stop(): Promise<void>
}

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
      for (let ready = false; !ready; ) {
        const redis = await openRedis(url, { warn: () => undefined, info: () => undefined })
        ready = redis.status === 'ready'
        redis.disconnect()
        if (!ready) await delay(20)
      }
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
