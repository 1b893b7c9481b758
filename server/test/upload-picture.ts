import type { TestServer } from './harness'
import { jpeg } from './pictures'

/** Uploads a picture for a feedback as the app does: a signed form, posted to `base`. @returns its key */
export async function uploadPicture(server: Pick<TestServer, 'call'>, base: string, token: string): Promise<string> {
  const sts = (await server.call('app', 'stsPost', { scene: 'FEEDBACK' }, { token })).body.data
  const key = `${sts.dir}00000000-0000-4000-8000-000000000001`
  const form = new FormData()
  for (const [name, value] of Object.entries({ ...JSON.parse(sts.token), key, 'Content-Type': 'image/jpeg' }))
    form.append(name, String(value))
  form.append('file', new Blob([new Uint8Array(jpeg)]), 'p.jpg')
  expect((await fetch(base + sts.host, { method: 'POST', body: form })).status).toBe(204)
  return key
}
