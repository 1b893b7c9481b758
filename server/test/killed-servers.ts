/** Tests only: servers on one database that are killed and replaced, and requests that are repeated until one answers. */

import type { CallGroup, CallOf } from '@/contract/calls'
import type { Envelope, Req, Res } from '@/contract/types'
import { sandboxLogins } from '../domains/staff/accounts'
import { type ServerProcess, send, startProcess } from './process'

/** A random moment within `most` ms. */
export const moment = (most: number) => new Promise((resolve) => setTimeout(resolve, Math.random() * most))

export async function until(done: () => boolean | Promise<boolean>, work: () => Promise<unknown>) {
  while (!(await done())) await work()
}

/** @throws Error if a server refused because it starts or is overloaded, as it may on a busy machine, and is to be asked again */
function assertServed(headers: Headers) {
  if (headers.has('retry-after')) throw new Error('the server is busy')
}

/** @param env of each process */
export function createServers(env: () => Record<string, string>) {
  const running: { process: ServerProcess; url: string }[] = []
  let answered = 0
  /** ms by which the clocks of all are ahead; a process that starts does not know it */
  let ahead = 0

  /** @throws TypeError if the server is killed meanwhile */
  async function advance(url: string, advanceMs: number) {
    const request = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ advanceMs }),
    }
    while ((await fetch(`${url}/sandbox/clock`, request)).headers.has('retry-after')) await moment(500)
  }

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

  /** Asks again until some server does not fail: what a person does when the page says that it failed. */
  async function persist<T>(ask: (url: string) => Promise<T>): Promise<T> {
    for (;;) {
      const server = running[Math.floor(Math.random() * running.length)]
      try {
        const answer = await ask(server?.url ?? 'http://127.0.0.1:1')
        answered += 1
        return answer
      } catch {
        await moment(100)
      }
    }
  }

  /** A call of the API. A refusal is an answer, too, unless the server is busy. */
  const call = <R extends CallGroup, C extends CallOf<R>>(
    group: R,
    name: C,
    req: Req<R, C>,
    token: string,
  ): Promise<Envelope<Res<R, C>>> =>
    persist(async (url) => {
      const { headers, body } = await send(url, group, name, req, { token })
      assertServed(headers)
      return body
    })

  /** A page or form of the desk as a signed-in member. */
  const desk = (cookie: string, path: string, fields?: Record<string, string>) =>
    persist(async (url) => {
      const form = fields && { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' as const }
      const answer = await fetch(url + path, { ...form, headers: { cookie } })
      const { headers } = answer
      assertServed(headers)
      return { cookie: headers.get('set-cookie') ?? '', to: headers.get('location') ?? '', body: await answer.text() }
    })

  return {
    /** answers so far */
    answered: () => answered,
    urls: () => running.map(({ url }) => url),
    /** ms: time of the servers' clocks */
    now: () => Date.now() + ahead,
    start,
    call,
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
