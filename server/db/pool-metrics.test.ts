import { measurePool } from './pool-metrics'

const connect = (pool: ReturnType<typeof measurePool>, route?: string) => pool.connect(async () => ({}), route)
const state = async (work: Promise<unknown>) => Promise.race([work.then(() => 'open'), Promise.resolve('waits')])
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('a route that uses its share waits for itself; other routes and background work do not', async () => {
  const pool = measurePool(10)
  const held = await Promise.all(Array.from({ length: 7 }, () => connect(pool, '/heavy')))
  const eighth = connect(pool, '/heavy')
  await settled()
  expect(await state(eighth)).toBe('waits')
  expect(pool.expectedWaitOf('/heavy')).toBeGreaterThan(0)
  expect([pool.expectedWait(), pool.expectedWaitOf('/light')]).toEqual([0, 0])
  await Promise.all([connect(pool, '/light'), connect(pool)])
  expect(pool.inUse()).toBe(9)
  pool.released(held[0] as object)
  await eighth
  expect([pool.inUse(), pool.expectedWaitOf('/heavy')]).toEqual([9, 0])
})

test('a connection that could not be opened leaves its place to the next', async () => {
  const pool = measurePool(1)
  const failed = pool.connect(() => Promise.reject(new Error('away')), '/a')
  await expect(failed).rejects.toThrow('away')
  await connect(pool, '/a')
  expect([pool.inUse(), pool.waiting()]).toEqual([1, 0])
})

test('every wait is reported with its length', async () => {
  const pool = measurePool(1)
  const waits: number[] = []
  pool.onWaited((ms) => waits.push(ms))
  const first = await connect(pool, '/a')
  const second = connect(pool, '/a')
  await settled()
  pool.released(first)
  await second
  expect(waits).toHaveLength(2)
  expect(waits[1]).toBeGreaterThan(waits[0] as number)
})
