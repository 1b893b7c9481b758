import { type ChildProcess, spawn } from 'node:child_process'
import { type CallDef, type CallGroup, type CallOf, calls } from '@/contract/calls'
import { canonicalGet, type SignParams, toQuery } from '@/contract/query'
import { sign } from '@/contract/sign'
import type { Envelope, Req, Res } from '@/contract/types'
import { programOf } from './programs'
import { root } from './temp'

const SECRET = 'test-secret'

export interface ServerProcess {
  child: ChildProcess
  /** its output so far, both streams */
  output(): string
  /** `http://…` once it reports that it is ready; rejects if it ends before */
  ready(): Promise<string>
  /** resolves once it has printed the text; rejects if it ends before */
  printed(words: string): Promise<void>
  /** exit code, or the signal that ended it */
  ended: Promise<number | string>
}

/**
 * Starts server/main.ts (or a tool) as its own process, with only this environment.
 * @param words file descriptor for its output; without one `output()` returns it
 */
export function startProcess(
  env: Record<string, string>,
  file = 'server/main.ts',
  args: string[] = [],
  words: number | 'pipe' = 'pipe',
): ServerProcess {
  const { program, execArgv, env: own } = programOf(file)
  const child = spawn(process.execPath, [...execArgv, program, ...args], {
    cwd: root,
    stdio: ['ignore', words, words],
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      ...own,
      HOST: '127.0.0.1',
      PORT: '0',
      DRAIN_SECONDS: '0',
      LOG: 'json',
      LOG_LEVEL: 'silent',
      SIGN_SECRET: SECRET,
      ...env,
    },
  })
  let text = ''
  let noted: (() => void)[] = []
  const note = () => {
    for (const f of noted) f()
  }
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      text += chunk
      note()
    })
  const ended = new Promise<number | string>((resolve) => {
    const end = (how: number | string) => {
      resolve(how)
      note()
    }
    // if it ended by itself: wait for its last output. If killed: at once, since a remaining training process keeps the
    // pipes open with a longer timeout
    child.once('close', (code, signal) => end(signal ?? code ?? 'unknown'))
    child.once('exit', (_, signal) => {
      if (!signal) return
      child.stdout?.destroy()
      child.stderr?.destroy()
      end(signal)
    })
  })
  const find = (words: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const found = text.match(words)
        if (found) resolve(found[1] ?? '')
        else if (child.exitCode !== null || child.signalCode) reject(new Error(`ended before ${words}:\n${text}`))
      }
      noted = [...noted, look]
      look()
    })
  const ready = () => find(/服务已就绪：(\S+)/)
  const printed = (words: string) => find(new RegExp(words)).then(() => undefined)
  return { child, output: () => text, ready, printed, ended }
}

/** Headers of a signed request over `canonical`. */
export function headersOf(canonical: string, token?: string): Record<string, string> {
  const [timestamp, random] = [String(Date.now()), '042137']
  return {
    'content-type': 'application/json',
    timestamp,
    random,
    sign: sign({ canonical, timestamp, random, secret: SECRET }),
    ...(token !== undefined && { token }),
  }
}

export interface SentCall {
  token?: string | undefined
  /** aborts waiting for the answer */
  signal?: AbortSignal
}

/**
 * A signed call over a real socket, with its HTTP status and headers.
 * @throws TypeError if there is no answer; the signal's reason if it aborts
 */
export async function send<R extends CallGroup, C extends CallOf<R>>(
  url: string,
  group: R,
  name: C,
  req: Req<R, C>,
  { token, signal }: SentCall = {},
): Promise<{ status: number; headers: Headers; body: Envelope<Res<R, C>> }> {
  const def = calls[group][name] as CallDef
  const params = req as SignParams
  const get = def.method === 'GET'
  const canonical = get ? canonicalGet(params) : JSON.stringify(params)
  const answer = await fetch(`${url}${def.path}${get ? `?${toQuery(params)}` : ''}`, {
    method: def.method,
    headers: headersOf(canonical, token),
    ...(get ? {} : { body: canonical }),
    ...(signal && { signal }),
  })
  const { status, headers } = answer
  return { status, headers, body: (await answer.json()) as Envelope<Res<R, C>> }
}

/** The same, the body alone. */
export const call = async <R extends CallGroup, C extends CallOf<R>>(
  url: string,
  group: R,
  name: C,
  req: Req<R, C>,
  token?: string,
): Promise<Envelope<Res<R, C>>> => (await send(url, group, name, req, { token })).body
