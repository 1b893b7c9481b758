/** Shared by the tests of collections: a server whose collector is the sandbox's, and what users and collector do. */
import type { Answers, FormConfig } from '@/contract/form/types'
import { isRequired } from '@/contract/form/validate'
import type { AutoTask, Req } from '@/contract/types'
import { depsOf } from '../core/lifecycle'
import { sandboxAccount } from '../providers/collector/sandbox'
import { setupServer } from './harness'
import { configOf } from './orders'

export const MINUTE = 60_000
export const DAY = 86_400_000

const ids: Answers = { uid: '812345678', campId: '548123090' }
/** Fields of the form before a collection: required ones that the collection does not supply. */
export const asked = (config: FormConfig): Answers =>
  Object.fromEntries(
    config.fields
      .filter((f) => !f.autoFill && isRequired(f, 'AI'))
      .map((f) => [f.key, f.options?.[0]?.v ?? ids[f.key]]),
  )

/** A server for the tests of a file. Each test begins two days later, because limits count per day. */
export function setupCollections() {
  const server = setupServer({ games: ['ys', 'hok', 'val'] })
  const [ys, hok] = [{}, {}] as [FormConfig, FormConfig]
  beforeAll(async () => {
    Object.assign(ys, await configOf(server, 'ys'))
    Object.assign(hok, await configOf(server, 'hok'))
  })
  beforeEach(() => server.clock.advance(2 * DAY))
  afterEach(() => jest.restoreAllMocks())

  const deps = () => depsOf(server.lifecycle)
  const runJobs = () => server.lifecycle.jobRunner?.runAll()
  let numbers = 0
  const newUser = () => server.login(`1360000${String(++numbers).padStart(4, '0')}`)
  const begin = (token: string, more: Partial<Req<'evaluation', 'taskCreate'>> = {}) =>
    server.call('evaluation', 'taskCreate', { gameId: 'ys', loginType: 'QR', ...more }, { token })
  const create = async (...of: Parameters<typeof begin>): Promise<AutoTask> => (await begin(...of)).body.data
  const record = async (token: string, taskId: string) =>
    (await server.call('evaluation', 'taskRecord', { taskId }, { token })).body.data
  const act = (token: string, taskId: string, action: 'CANCEL' | 'FORGET') => begin(token, { taskId, action })
  /** What the collector tells, chosen as on the sandbox's page. */
  const choose = async (taskId: string, result: string, account?: string): Promise<{ accepted: boolean }> =>
    (
      await server.app.inject({ method: 'POST', url: '/sandbox/collector', payload: { taskId, result, account } })
    ).json()
  const submit = (token: string, taskId: string, more: Partial<Req<'evaluation', 'submitAi'>> = {}) => {
    const { gameId, schemaVersion } = ys
    const req = { gameId, schemaVersion, answers: asked(ys), taskId, source: 'AUTH' as const, ...more }
    return server.call('evaluation', 'submitAi', req, { token })
  }
  /** A new user who has begun a collection and whose order waits for it. */
  async function waiting(more: Parameters<typeof submit>[2] = {}) {
    const user = await newUser()
    const { taskId } = await create(user.token)
    return { ...user, taskId, orderId: (await submit(user.token, taskId, more)).body.data.orderId }
  }
  /** A collection whose data has arrived and whose process died before the valuation, so that the job is to finish it. */
  async function abandoned() {
    const made = await waiting()
    const now = server.clock.now()
    await server.database.db
      .updateTable('collection_tasks')
      .set({ status: 'VALUING', features: JSON.stringify(sandboxAccount(ys, 'normal')), read_at: now, changed_at: now })
      .where('id', '=', made.taskId)
      .execute()
    server.clock.advance(30_000)
    return made
  }
  const reportOf = async ({ token, orderId }: { token: string; orderId: string }) =>
    (await server.call('evaluation', 'reportGet', { orderId }, { token })).body.data
  const statusOf = async (token: string, orderId: string) =>
    (await server.call('pay', 'getInfo', { orderId }, { token })).body.data.status
  const statuses = async ({ token, taskId, orderId }: { token: string; taskId: string; orderId: string }) => [
    (await record(token, taskId)).status,
    await statusOf(token, orderId),
  ]
  const ordersOf = async (userId: string) =>
    server.database.db.selectFrom('orders').select('id').where('user_id', '=', userId).execute()
  /** Lets `act` happen once when the model is needed: after the task was read, before the transaction. */
  const beforeValuation = (act: () => Promise<unknown>) => {
    const { models } = deps().repositories
    return jest.spyOn(models, 'active').mockImplementationOnce(async (config) => {
      await act()
      return models.active(config)
    })
  }

  return {
    ...{ server, ys, hok, db: () => server.database.db, deps, runJobs, newUser, begin, create, record, act, choose },
    ...{ submit, waiting, abandoned, reportOf, statusOf, statuses, ordersOf, beforeValuation },
  }
}
