import { parseSettings } from '../settings'
import { exposedSandbox } from './exposed-sandbox'

const real = { NODE_ENV: 'production', SIGN_SECRET: 'x'.repeat(32), IDENTITY_KEYS: `k1:${'A'.repeat(43)}=` }

test.each<[string, Record<string, string>, string | undefined]>([
  ['a trial on this machine', {}, undefined],
  ['a trial with an address of this machine', { PUBLIC_URL: 'http://127.0.0.1:3000', HOST: '::1' }, undefined],
  ['production', { ...real, PUBLIC_URL: 'https://gz.example.com' }, undefined],
  ['a public address', { PUBLIC_URL: 'https://gz.example.com' }, 'PUBLIC_URL 是 https://gz.example.com'],
  ['NODE_ENV misspelt', { ...real, NODE_ENV: 'prod', HOST: '0.0.0.0' }, 'HOST 是 0.0.0.0'],
  ['the sandbox asked for in production', { ...real, SANDBOX: '1', HOST: '10.0.0.5' }, 'HOST 是 10.0.0.5'],
])('strangers may reach the sandbox or not: %s', (_what, env, sign) => {
  const warning = exposedSandbox(parseSettings(env))
  expect(warning === undefined).toBe(sign === undefined)
  expect(warning ?? '').toContain(sign ?? '')
})
