/** One row of each job always fails; other rows and jobs continue. */
import { openDatabase } from '../../db/database'
import { dueRows } from './due-rows'
import { changedRows, type InsertedRows, makeDueRows } from './failing-rows'
import { engine, expectConsistent, type System, startSystem } from './system'

jest.setTimeout(600_000)

const MINUTE = 60_000

let system: System
let made: InsertedRows

beforeAll(async () => {
  system = await startSystem({
    prepare: async (server, fixture) => {
      made = await makeDueRows(server, fixture)
    },
  })
})
afterAll(() => system.remove())

test(`${engine}: a failing row in each job keeps no other row waiting`, async () => {
  const result = await system.runUnderFault('a failing row in each job', async () => {
    // more rounds than attempts before a row is quarantined
    for (let round = 0; round < 6; round += 1) await system.advance(MINUTE)
  })
  const { db, close } = await openDatabase(system.where)
  const failing = [...made.values()].map(([first]) => first ?? '')
  const acted = await changedRows(db, made)
  const orders = await db.selectFrom('refunds').select('order_id').where('id', 'in', failing).execute().finally(close)
  failing.push(...orders.map(({ order_id }) => order_id))
  expect(acted).toEqual(Object.fromEntries(dueRows.map(({ job }) => [job, [1, 2]])))
  // exactly the failing rows stay open
  const others = result.reconciliation.others.filter((line) => !failing.some((id) => line.includes(id)))
  expectConsistent({ ...result, reconciliation: { ...result.reconciliation, others } })
})
