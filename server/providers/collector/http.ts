/** An external collector, called by signed requests; it sends its results to /collector/events (docs/collector.md). */
import { randomUUID } from 'node:crypto'
import { type Static, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Answers } from '@/contract/form/types'
import { taskFailText } from '@/contract/labels'
import type { Settings } from '../../settings'
import { postJson } from '../http'
import type { CollectorEvent, CollectorPort } from './port'
import { signMessage } from './signature'

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
export function createHttpCollector(
  { url, secret }: NonNullable<Settings['collector']>,
  realNow: () => number,
): CollectorPort {
  async function ask<T extends TSchema>(path: string, content: object, answer: T): Promise<Static<T>> {
    const address = new URL(path, url.endsWith('/') ? url : `${url}/`)
    const body = JSON.stringify(content)
    const [timestamp, nonce] = [String(realNow()), randomUUID()]
    const data = await postJson({ name: 'collector', Unavailable: Error }, address.href, body, {
      'x-timestamp': timestamp,
      'x-nonce': nonce,
      'x-signature': signMessage(secret, { timestamp, nonce, method: 'POST', path: address.pathname, body }),
    })
    if (!Value.Check(answer, data)) throw new Error(`collector gave no proper answer to ${path}`)
    return data
  }

  return {
    begin: ({ origin, ...read }) => ask('reads', { ...read, callbackUrl: `${origin}${EVENTS_PATH}` }, Begun),
    newQr: async ({ ref }) => (await ask(`reads/${encodeURIComponent(ref)}/qr`, {}, Renewed)).qr,
    deleteCollection: async (ref) => void (await ask(`reads/${encodeURIComponent(ref)}/forget`, {}, Type.Object({}))),
  }
}
