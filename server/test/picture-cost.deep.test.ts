/** What a picture of a report costs, relative to reference work. */
import { pbkdf2Sync } from 'node:crypto'
import { setupServer, someAnswers } from './harness'
import { configOf } from './orders'
import { processorTime } from './processor'

const server = setupServer({ games: ['naraka'] })

/** ms of processor time that `work` takes. */
async function cost(work: () => unknown): Promise<number> {
  const spent = processorTime()
  await work()
  return spent()
}

/** Reference work of 86 ms on an idle core; a busy machine slows both equally, so the ratio is stable. */
const REFERENCE = () => pbkdf2Sync('reference', 'salt', 300_000, 32, 'sha256')
/** 150 ms, with a tolerance for slower memory on a busy machine */
const MAX_SLOWDOWN = 2.2
/** Rounds of the measurement; more only while the limit is exceeded. */
const ROUNDS = 6

test('a new picture takes less than 150 ms of an idle processor', async () => {
  const { token } = await server.login('13800000001')
  const config = await configOf(server, 'naraka')
  const { gameId, schemaVersion } = config
  const request = { gameId, schemaVersion, answers: someAnswers(config), source: 'TYPED' as const }
  const { orderId } = (await server.call('evaluation', 'submitAi', request, { token })).body.data
  const ask = () => server.call('evaluation', 'reportImage', { orderId }, { token })
  await ask()
  const least = { picture: Number.POSITIVE_INFINITY, reference: Number.POSITIVE_INFINITY }
  const sizes = new Set<number>()
  const exceeded = () => !(least.picture / least.reference < MAX_SLOWDOWN)
  for (const [round, name] of [...'赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔'].entries()) {
    if (round >= ROUNDS && !exceeded()) break
    // a user may draw thirty a minute
    server.clock.advance(10_000)
    // each is a different picture, because masking keeps the first letter
    await server.database.db
      .updateTable('users')
      .set({ nickname: `${name}家玩家` })
      .execute()
    least.reference = Math.min(least.reference, await cost(REFERENCE))
    least.picture = Math.min(least.picture, await cost(async () => sizes.add((await ask()).body.data.size ?? 0)))
  }
  expect(sizes.size).toBeGreaterThan(3)
  expect(least.picture / least.reference).toBeLessThan(MAX_SLOWDOWN)
})
