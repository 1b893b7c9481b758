/**
 * A fake server for screens: the real api client, signature and error table over a transport that answers by call
 * name. Tests define the server's data instead of mocking functions.
 */

import type { ApiError } from '@/api'
import { api, configureApi } from '@/api'
import type { ApiDeps } from '@/api/deps'
import { createNetworkApi } from '@/api/networkApi'
import { type CallGroup, type CallOf, calls } from '@/contract/calls'
import { DEDUPE_WINDOW } from '@/contract/constants'
import type { Req, Res } from '@/contract/types'
import { fakeTransport } from '@/platform/transport/fake'
import type { Outgoing, TransportResponse } from '@/platform/transport/port'

type Handlers = {
  [R in CallGroup]?: { [C in CallOf<R>]?: (req: Req<R, C>) => Res<R, C> | Promise<Res<R, C>> }
}

/** Thrown by a handler to answer with an error. */
export class Refused {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly msg = '',
    readonly data: unknown = null,
  ) {}
}

const byPath = new Map<string, [group: string, name: string]>()
for (const [group, defs] of Object.entries(calls))
  for (const [name, def] of Object.entries(defs)) byPath.set(`${def.method} ${def.path}`, [group, name])

const envelope = (status: number, code: string, msg: string, data: unknown): TransportResponse => ({
  status,
  headers: { 'x-request-id': 'req-1' },
  data: { success: code === 'OK', code, msg, data },
})

function requestOf({ method, url, body }: Outgoing): unknown {
  if (method === 'POST') return JSON.parse(body ?? '{}')
  return Object.fromEntries(new URL(url).searchParams)
}

/**
 * Wires `api` to `handlers`. A call without a handler answers 404. `told` contains the failures that would be shown to
 * the user, `aborted` the requests that were given up. `file` gives the status of fetched and uploaded files, or why one is refused.
 */
export function fakeServer(
  handlers: Handlers,
  credentials: { token?: string; userId?: string } = {},
  file: (path: string) => number | Refused | Promise<number | Refused> = () => 404,
) {
  const seen: { call: string; req: unknown; headers: Record<string, string> }[] = []
  const told: ApiError[] = []
  let ahead = 0
  const answer = async (o: Outgoing): Promise<TransportResponse> => {
    // tests are faster than users: an equal call within 300 ms would be answered from the cache (spec §7)
    ahead += DEDUPE_WINDOW
    const { pathname } = new URL(o.url)
    const found = byPath.get(`${o.method} ${pathname}`)
    if (!found) {
      const outcome = await file(pathname)
      if (outcome instanceof Refused) return envelope(outcome.status, outcome.code, outcome.msg, outcome.data)
      return { status: outcome, headers: {}, data: null }
    }
    const [group, name] = found
    const req = requestOf(o)
    seen.push({ call: `${group}.${name}`, req, headers: o.headers })
    const groups = handlers as Record<string, Record<string, ((req: unknown) => unknown) | undefined> | undefined>
    const handler = groups[group]?.[name]
    if (!handler) return envelope(404, 'NOT_FOUND', '没有找到相关内容', null)
    try {
      return envelope(200, 'OK', '操作成功', await handler(req))
    } catch (e) {
      if (e instanceof Refused) return envelope(e.status, e.code, e.msg, e.data)
      throw e
    }
  }
  const { transport, aborted } = fakeTransport(answer)
  const deps: ApiDeps = {
    base: 'http://localhost',
    secret: 'test-secret',
    transport,
    device: { platform: 'h5', os: () => 'other' },
    credentials: () => credentials,
    now: () => Date.now() + ahead,
    random: Math.random,
    showError: (error) => void told.push(error),
    promptRetry: () => ({ answer: Promise.resolve(false), close: () => undefined }),
  }
  configureApi({ base: deps.base, loadNetworkApi: () => createNetworkApi(deps, api) })
  return { seen, told, aborted }
}
