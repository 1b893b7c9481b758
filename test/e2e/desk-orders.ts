import { calls } from '@/contract/calls'
import { jpegOf } from '../../server/test/pictures'
import { login, post } from '../fakes/calls'
import { hok, hokAnswers, paid, provenAdult } from './orders'
import { nextMobile } from './session'
import { server } from './setup'

/** Paid orders for the desk, of one user for each test file. */

let user: { token: string; userId: string }
/** Registers the user before the tests. */
export function setUpOwner(): void {
  beforeAll(async () => {
    user = await login(server, nextMobile())
    await provenAdult(server, user)
  })
}

const call = <T>(path: string, body: object) => post<T>(server, path, body, user.token)
/** Submits or completes an order. */
export const manual = (more: object) =>
  call<{ orderId: string }>(calls.evaluation.submitManual.path, {
    gameId: hok.gameId,
    schemaVersion: hok.schemaVersion,
    answers: hokAnswers,
    level: 'STD',
    ...more,
  })
/** Uploads a picture to the user's folder. @returns its key */
export async function upload(n: number): Promise<string> {
  const sts = await call<{ token: string; host: string; dir: string }>(calls.app.stsPost.path, { scene: 'ACCOUNT' })
  const key = `${sts.dir}00000000-0000-4000-8000-00000000000${n}`
  const form = new FormData()
  const fields = { ...(JSON.parse(sts.token) as Record<string, string>), key, 'Content-Type': 'image/jpeg' }
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([new Uint8Array(await jpegOf(2000))]), 'photo.jpg')
  const answer = await fetch(server.url + sts.host, { method: 'POST', body: form })
  if (!answer.ok) throw new Error(`upload: HTTP ${answer.status}`)
  return key
}

export async function paidOrder(more: object): Promise<string> {
  const { orderId } = await manual(more)
  await paid(server, user, orderId)
  return orderId
}
