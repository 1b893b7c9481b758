/** A game without a model: accounts are submitted while the first model is being trained. */

import type { FormConfig } from '@/contract/form/types'
import { isRequired } from '@/contract/form/validate'
import type { Req } from '@/contract/types'
import { createModelRepository } from '../domains/models/repository'
import { setupServer, someAnswers } from './harness'
import { configOf } from './orders'

let config: FormConfig
let readable: FormConfig
const server = setupServer({ games: ['naraka', 'ys'] })
beforeAll(async () => {
  config = await configOf(server, 'naraka')
  readable = await configOf(server, 'ys')
})

/** The game's model is still being trained. @returns what ends the training */
async function inTraining(): Promise<() => Promise<unknown>> {
  const { lifecycle, database } = server
  if (!lifecycle.deps) throw new Error('not started')
  const setActive = (active: boolean) => database.db.updateTable('models').set({ active }).execute()
  await setActive(false)
  lifecycle.deps.repositories.models = createModelRepository(database.db)
  return () => setActive(true)
}

const request = (): Req<'evaluation', 'submitAi'> => ({
  gameId: config.gameId,
  schemaVersion: config.schemaVersion,
  answers: someAnswers(config),
  source: 'TYPED',
  requestId: 'draft-1',
})
const ids: Record<string, string> = { uid: '812345678', campId: '548123090' }
const ordersOf = (userId: string) =>
  server.database.db.selectFrom('orders').select(['id', 'status']).where('user_id', '=', userId).execute()
const freeLeft = async (token: string) =>
  (await server.call('evaluation', 'gameConfig', { gameId: config.gameId, mode: 'AI' }, { token })).body.data.freeLeft

test('a valuation is refused for now, uses no quota, and is accepted once the model exists', async () => {
  const trained = await inTraining()
  const { token, userId } = await server.login('13900020001')
  const before = await freeLeft(token)
  const refused = await server.call('evaluation', 'submitAi', request(), { token })
  expect(refused.status).toBe(503)
  expect(refused.headers['retry-after']).toBe('30')
  expect(refused.body).toMatchObject({ success: false, code: 'MODEL_PENDING' })
  expect(refused.body.msg).toContain('正在准备')
  expect(await ordersOf(userId)).toEqual([])
  expect(await freeLeft(token)).toBe(before)

  await trained()
  const taken = await server.call('evaluation', 'submitAi', request(), { token })
  expect(taken.body.data.status).toBe('REPORTED')
  expect(await ordersOf(userId)).toHaveLength(1)
})

test('a collection that arrives meanwhile is kept and valued once the model is there; no failure is counted', async () => {
  const trained = await inTraining()
  const { db } = server.database
  const { token } = await server.login('13900020003')
  const { gameId, schemaVersion, fields } = readable
  const asked = Object.fromEntries(
    fields.filter((f) => !f.autoFill && isRequired(f, 'AI')).map((f) => [f.key, f.options?.[0]?.v ?? ids[f.key]]),
  )
  const { taskId } = (await server.call('evaluation', 'taskCreate', { gameId, loginType: 'QR' }, { token })).body.data
  const order = await server.call(
    'evaluation',
    'submitAi',
    { gameId, schemaVersion, answers: asked, taskId, source: 'AUTH' },
    { token },
  )
  expect(order.body.data).toMatchObject({ status: 'WAIT_AUTH' })
  const told = await server.app.inject({
    method: 'POST',
    url: '/sandbox/collector',
    payload: { taskId, result: 'SUCCESS' },
  })
  expect(told.json()).toEqual({ accepted: true })
  await server.clock.advance(60_000)
  await server.lifecycle.jobRunner?.runAll()
  const status = async () =>
    (await db.selectFrom('collection_tasks').select('status').where('id', '=', taskId).execute())[0]
  expect(await status()).toEqual({ status: 'VALUING' })
  expect(await db.selectFrom('job_failures').selectAll().execute()).toEqual([])

  await trained()
  await server.lifecycle.jobRunner?.runAll()
  expect(await status()).toEqual({ status: 'SUCCESS' })
})
