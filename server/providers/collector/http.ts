/** An external collector, called by signed requests; it sends its results to /collector/events (docs/collector.md). */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Static, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Answers } from '@/contract/form/types'
import { taskFailText } from '@/contract/labels'
import type { CollectorSettings } from '../../settings'
import type { CollectorEvent, CollectorPort } from './port'
import { signMessage } from './signature'

/** ms: time limit of a request, and the wait between retries */
const TIMEOUT = 8000
const PAUSES = [200, 800]

/** Path at which its events arrive. */
export const EVENTS_PATH = '/collector/events'

const Begun = Type.Object({
  ref: Type.String({ minLength: 1, maxLength: 200 }),
  qr: Type.Optional(Type.String({ maxLength: 1000 })),
  webviewUrl: Type.Optional(Type.String({ maxLength: 2000, pattern: '^https?://' })),
})
const Renewed = Type.Object({ qr: Type.String({ minLength: 1, maxLength: 1000 }) })

const GivenAnswers = Type.Record(Type.String({ maxLength: 64 }), Type.Unknown(), { maxProperties: 200 })
const taskId = Type.String({ pattern: '^[\\w-]{1,64}$' })
/** The events a collector may send. */
const News = Type.Union([
  Type.Object({ taskId, event: Type.Literal('SCANNED') }),
  Type.Object({ taskId, event: Type.Literal('COLLECTING'), progress: Type.Number() }),
  Type.Object({ taskId, event: Type.Literal('SUCCESS'), answers: GivenAnswers, raw: Type.Optional(Type.Unknown()) }),
  Type.Object({
    taskId,
    event: Type.Literal('FAILED'),
    code: Type.Enum(Object.keys(taskFailText) as (keyof typeof taskFailText)[]),
  }),
])

/** The event in a body whose signature was verified; undefined if it is malformed. */
export function readNews(body: unknown): { taskId: string; event: CollectorEvent } | undefined {
  if (!Value.Check(News, body)) return undefined
  const { taskId: id } = body
  if (body.event === 'SUCCESS')
    return { taskId: id, event: { kind: 'SUCCESS', answers: body.answers as Answers, raw: body.raw ?? body.answers } }
  if (body.event === 'COLLECTING') return { taskId: id, event: { kind: 'COLLECTING', progress: body.progress } }
  if (body.event === 'FAILED') return { taskId: id, event: { kind: 'FAILED', code: body.code } }
  return { taskId: id, event: { kind: 'SCANNED' } }
}

/** @param realNow time for signatures: the collector checks them against the real time, not the sandbox's */
export function createHttpCollector({ url, secret }: CollectorSettings, realNow: () => number): CollectorPort {
  /** Retries after network failures and 5xx. That is safe: the collector identifies a collection by its task id. */
  async function post(path: string, content: object): Promise<Response> {
    const body = JSON.stringify(content)
    for (const wait of [...PAUSES, undefined]) {
      const response = await send(path, body).catch(() => undefined)
      if (response?.ok) return response
      if (response && response.status < 500) throw new Error(`collector answered ${response.status} to ${path}`)
      if (wait === undefined) break
      await delay(wait)
    }
    throw new Error(`collector did not answer ${path}`)
  }

  async function ask<T extends TSchema>(path: string, content: object, answer: T): Promise<Static<T>> {
    const data: unknown = await (await post(path, content)).json()
    if (!Value.Check(answer, data)) throw new Error(`collector gave no proper answer to ${path}`)
    return data
  }

  function send(path: string, body: string) {
    const address = new URL(path.replace(/^\//, ''), url.endsWith('/') ? url : `${url}/`)
    const [timestamp, nonce] = [String(realNow()), randomUUID()]
    const signature = signMessage(secret, { timestamp, nonce, method: 'POST', path: address.pathname, body })
    const headers = {
      'content-type': 'application/json',
      'x-timestamp': timestamp,
      'x-nonce': nonce,
      'x-signature': signature,
    }
    return fetch(address, { method: 'POST', headers, body, signal: AbortSignal.timeout(TIMEOUT) })
  }

  return {
    begin: ({ origin, ...read }) => ask('/reads', { ...read, callbackUrl: `${origin}${EVENTS_PATH}` }, Begun),
    newQr: async ({ ref }) => (await ask(`/reads/${encodeURIComponent(ref)}/qr`, {}, Renewed)).qr,
    deleteCollection: async (ref) => {
      await post(`/reads/${encodeURIComponent(ref)}/forget`, {})
    },
  }
}
