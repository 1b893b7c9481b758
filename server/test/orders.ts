import type { FormConfig } from '@/contract/form/types'
import type { Req } from '@/contract/types'
import { someAnswers, type TestServer } from './harness'

/** A user who may order: logged in, verified as an adult. */
export async function adult(server: TestServer, mobile: string) {
  const user = await server.login(mobile)
  await server.database.db
    .insertInto('real_names')
    .values({ user_id: user.userId, status: 'PASSED', tries_on: '', tries: 1, adult_at: 0, updated_at: 0 })
    .execute()
  return user
}

export const configOf = async (server: TestServer, gameId: string): Promise<FormConfig> =>
  (
    await server.database.db
      .selectFrom('games')
      .select('config')
      .where('game_id', '=', gameId)
      .executeTakeFirstOrThrow()
  ).config

export const manualRequest = (config: FormConfig, skip = 0): Req<'evaluation', 'submitManual'> => ({
  gameId: config.gameId,
  schemaVersion: config.schemaVersion,
  answers: someAnswers(config, skip),
  level: 'STD',
})

/** The sandbox's provider reports the order's newest payment attempt as paid. */
export const paid = (server: TestServer, orderId: string) =>
  server.app.inject({ method: 'POST', url: '/sandbox/pay', payload: { orderId, result: 'SUCCESS' } })

export const report = (server: TestServer, payload: { orderId: string; priceFen: number; comment?: string }) =>
  server.app.inject({ method: 'POST', url: '/sandbox/desk/report', payload })

/** Advances the clock and runs the due jobs, as the sandbox does. */
export async function advance(server: TestServer, ms: number) {
  server.clock.advance(ms)
  await server.lifecycle.jobRunner?.runAll()
}
