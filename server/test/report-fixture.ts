import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { CallGroup, CallOf } from '@/contract/calls'
import type { Answers, FormConfig } from '@/contract/form/types'
import { schemas } from '@/contract/schemas'
import { unlockReport } from '../domains/orders/unlock-report'
import { createTestDatabase, startServer, type TestDatabase, type TestServer } from './harness'

export const DAY = 86_400_000

let testDatabase: TestDatabase

export let server: TestServer

export let config: FormConfig

let numbers = 0

export const newUser = async () => {
  numbers += 1
  return (await server.login(`1380000${String(numbers).padStart(4, '0')}`)).token
}

export const db = () => server.database.db

export const deps = () => {
  if (!server.lifecycle.deps) throw new Error('not started')
  return server.lifecycle.deps
}

export async function submit(token: string, answers: Answers, form = config): Promise<string> {
  const { gameId, schemaVersion } = form
  const req = { gameId, schemaVersion, answers, source: 'TYPED' as const }
  const { body } = await server.call('evaluation', 'submitAi', req, { token })
  if (!body.success) throw new Error(`${body.code} ${body.msg}`)
  return body.data.orderId
}

export const unlock = (orderId: string) =>
  db()
    .transaction()
    .execute((tx) => unlockReport(tx, { orderId, by: 'COUPON', now: server.clock.now() }))

export async function opened(token: string, answers: Answers): Promise<string> {
  const orderId = await submit(token, answers)
  expect(await unlock(orderId)).toBe(true)
  return orderId
}

export const fits = <R extends CallGroup>(group: R, name: CallOf<R>, data: unknown) => {
  const { res } = (schemas[group] as unknown as Record<CallOf<R>, { res: TSchema }>)[name]
  expect([...Value.Errors(res, data)]).toEqual([])
}

/** A server for the tests of a file, two days later for each of them: limits count per day. */
export function setUpReports() {
  beforeAll(async () => {
    testDatabase = await createTestDatabase()
    server = await startServer({ testDatabase, games: ['naraka', 'val'] })
    config = (await deps().repositories.games.find('naraka')).config
  })
  afterAll(async () => {
    await server.close()
    testDatabase.remove()
  })
  // limits count per day
  beforeEach(() => server.clock.advance(2 * DAY))
}
