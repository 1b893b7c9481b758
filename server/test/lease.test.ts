import { setTimeout as delay } from 'node:timers/promises'
import { endLeases, underLease } from '../db/lease'
import { databaseNow } from '../db/now'
import { setupDatabase } from './harness'

const database = setupDatabase()

const held = () => database.db.selectFrom('leases').select(['name', 'until']).orderBy('name').execute()
const again = async () => 'again'

test('a lease has one holder at a time; the next one gets it afterwards, also after a failure', async () => {
  const { db } = database
  const inner = await underLease(db, 'a', async () => [
    await underLease(db, 'a', again),
    await underLease(db, 'b', again),
    (await held()).map(({ name }) => name),
  ])
  expect(inner).toEqual({ result: [undefined, { result: 'again' }, ['a']] })
  await expect(underLease(db, 'a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await held()).toEqual([])
  expect(await underLease(db, 'a', again)).toEqual({ result: 'again' })
})

test('a lease is renewed while the work runs', async () => {
  const { db } = database
  const first = async () => (await held())[0]?.until ?? 0
  const renewed = await underLease(
    db,
    'long',
    async () => {
      const before = await first()
      let now = before
      while (now === before) {
        await delay(20)
        now = await first()
      }
      return now > before
    },
    900,
  )
  expect(renewed).toEqual({ result: true })
})

test('an expired lease, or one with an end far in the future by a wrong clock, blocks nobody; a valid one does', async () => {
  const { db } = database
  const now = await databaseNow(db)
  for (const until of [now - 1, now + 86_400_000]) {
    await db.insertInto('leases').values({ name: 'left', holder: 'killed', until }).execute()
    expect(await underLease(db, 'left', again)).toEqual({ result: 'again' })
  }
  await db
    .insertInto('leases')
    .values({ name: 'left', holder: 'killed', until: (await databaseNow(db)) + 20_000 })
    .execute()
  expect(await underLease(db, 'left', again)).toBeUndefined()
  await endLeases(db)
  expect(await underLease(db, 'left', again)).toEqual({ result: 'again' })
})
