import { addStaff } from '../domains/staff/accounts'
import { signIn, signOut, staffOf } from '../domains/staff/sessions'
import { setupServer } from './harness'

const MINUTE = 60_000
const server = setupServer()

test('a consultant is 在线 while at the desk, regardless of working hours', async () => {
  const { clock } = server
  const { db } = server.database
  const { password } = await db
    .transaction()
    .execute((tx) => addStaff(tx, { name: 'guwen', role: 'CONSULTANT', nick: '小顾' }, clock.now()))
  const { token } = await server.login('13800138901')
  const online = async () => (await server.call('evaluation', 'consultStaff', {}, { token })).body.data
  expect(await online()).toMatchObject({ nick: '小顾', online: false })

  const { deps } = server.lifecycle
  if (!deps) throw new Error('not started')
  const desk = await signIn(deps, { name: 'guwen', password, ip: '127.0.0.1' })
  expect(await online()).toMatchObject({ online: true })
  clock.advance(4 * MINUTE)
  expect((await staffOf(deps, desk))?.nick).toBe('小顾')
  clock.advance(4 * MINUTE)
  expect(await online()).toMatchObject({ online: true })
  // the page was closed or is suspended
  clock.advance(2 * MINUTE)
  expect(await online()).toMatchObject({ online: false })
  await staffOf(deps, desk)
  expect(await online()).toMatchObject({ online: true })
  await signOut(db, desk)
  expect(await online()).toMatchObject({ online: false })
})
