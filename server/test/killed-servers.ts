/** Tests only: servers on one database that are killed and replaced, and requests that are repeated until one answers. */
import { sandboxLogins } from '../domains/staff/accounts'
import { type ServerProcess, startProcess } from './process'

/** A random moment within `most` ms. */
export const moment = (most: number) => new Promise((resolve) => setTimeout(resolve, Math.random() * most))

export async function until(done: () => boolean | Promise<boolean>, work: () => Promise<unknown>) {
  while (!(await done())) await work()
}

/** @param env of each process */
export function createServers(env: () => Record<string, string>) {
  const running: { process: ServerProcess; url: string }[] = []
  let answered = 0
  /** ms by which the clocks of all are ahead; a process that starts does not know it */
  let ahead = 0

  const advance = (url: string, advanceMs: number) =>
    fetch(`${url}/sandbox/clock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ advanceMs }),
    })

  async function start() {
    const process = startProcess(env())
    const url = await process.ready()
    for (let own = 0; own < ahead; ) {
      const missing = ahead - own
      await advance(url, missing)
      own += missing
    }
    running.push({ process, url })
  }

  /** Asks again until some server answers: what a person does when the page says that it failed. */
  async function persist<T>(ask: (url: string) => Promise<T>): Promise<T> {
    for (;;) {
      const one = running[Math.floor(Math.random() * running.length)]
      try {
        const answer = await ask(one?.url ?? 'http://127.0.0.1:1')
        answered += 1
        return answer
      } catch {
        await moment(100)
      }
    }
  }

  /** A page or form of the desk as a signed-in member. A refusal is an answer, too. */
  const desk = (cookie: string, path: string, fields?: Record<string, string>) =>
    persist(async (url) => {
      const form = fields && { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' as const }
      const answer = await fetch(url + path, { ...form, headers: { cookie } })
      const { headers } = answer
      return { cookie: headers.get('set-cookie') ?? '', to: headers.get('location') ?? '', body: await answer.text() }
    })

  return {
    /** answers so far */
    answered: () => answered,
    urls: () => running.map(({ url }) => url),
    /** ms: time of the servers' clocks */
    now: () => Date.now() + ahead,
    start,
    persist,
    desk,
    async signIn(name: string): Promise<string> {
      // a process that is still starting may refuse the login
      for (;;) {
        const { cookie } = await desk('', '/desk/login', { name, password: sandboxLogins.password })
        if (cookie) return cookie.split(';')[0] ?? ''
        await moment(100)
      }
    },
    /** Moves the clocks by so many ms and has every server run the jobs; one that is killed meanwhile does not finish them. */
    async later(ms: number) {
      ahead += ms
      await Promise.allSettled(running.map(({ url }) => advance(url, ms)))
    },
    /** Kills a server, wherever it is in its work, and starts another. */
    async kill() {
      const victim = running.shift()
      victim?.process.child.kill('SIGKILL')
      await victim?.process.ended
      await start()
    },
    async stop(signal: 'SIGTERM' | 'SIGKILL') {
      for (const { process } of running.splice(0)) {
        process.child.kill(signal)
        await process.ended
      }
    },
  }
}
