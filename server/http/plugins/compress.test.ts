import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { game } from '../../test/arbitrary'
import { registerCompression } from './compress'

async function answer(accepted?: string, path = '/form') {
  const app = Fastify()
  registerCompression(app)
  app.get('/form', async () => game('hok'))
  app.get('/short', async () => ({ ok: true }))
  return app.inject({ url: path, headers: accepted === undefined ? {} : { 'accept-encoding': accepted } })
}

test.each([
  ['gzip, deflate, br', 'br', brotliDecompressSync],
  ['gzip;q=0.8, br;q=0', 'gzip', gunzipSync],
  ['GZIP', 'gzip', gunzipSync],
] as const)(
  'a long answer to %s comes as %s, a third as long, and unpacks to the same',
  async (accepted, name, unpack) => {
    const packed = await answer(accepted)
    const plain = await answer()
    expect(packed.headers['content-encoding']).toBe(name)
    expect(packed.headers.vary).toBe('accept-encoding')
    expect(Number(packed.headers['content-length'] ?? packed.rawPayload.length)).toBe(packed.rawPayload.length)
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3)
    expect(unpack(packed.rawPayload).toString()).toBe(plain.payload)
  },
)

test.each([undefined, '', 'identity', 'br;q=0', 'brotli'])('%s gets it as it is', async (accepted) => {
  const plain = await answer(accepted)
  expect(plain.headers['content-encoding']).toBeUndefined()
  expect(JSON.parse(plain.payload).gameId).toBe('hok')
})

test('short answers are not packed', async () => {
  expect((await answer('br', '/short')).headers['content-encoding']).toBeUndefined()
})
