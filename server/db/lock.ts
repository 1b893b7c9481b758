import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { StartError } from '../core/start-error'

const taken = (dir: string) =>
  new StartError(`数据目录 ${dir} 正被另一个服务进程使用（DATA_DIR）：请先停掉它，或换一个目录。`)

/** Locks by an abstract unix socket, which the kernel frees however the process ends, even by SIGKILL. */
function lockBySocket(dir: string): Promise<() => Promise<void>> {
  const name = `\0game-account-valuation-${createHash('sha256').update(dir).digest('hex').slice(0, 32)}`
  return new Promise((resolve, reject) => {
    const server = net.createServer((socket) => socket.destroy())
    server.once('error', (e: NodeJS.ErrnoException) => reject(e.code === 'EADDRINUSE' ? taken(dir) : e))
    server.listen(name, () => {
      server.unref()
      resolve(() => new Promise((done) => server.close(() => done())))
    })
  })
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (e) {
    return (e as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Without abstract sockets: locks by a file with the process id; that of a dead process is replaced. */
function lockByFile(dir: string): () => Promise<void> {
  const file = path.join(dir, 'server.pid')
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
  if (pid > 0 && alive(pid)) throw taken(dir)
  writeFileSync(file, String(process.pid))
  return async () => rmSync(file, { force: true })
}

/**
 * Locks an existing data folder for this process: two embedded databases on one folder silently lose rows.
 * @returns a function that releases the lock
 * @throws StartError if another process holds it
 */
export async function lockFolder(dir: string): Promise<() => Promise<void>> {
  const real = realpathSync(dir)
  return process.platform === 'linux' ? lockBySocket(real) : lockByFile(real)
}
