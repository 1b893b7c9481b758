import { StartError } from '../core/start-error'
import { parseSettings } from '../settings'

const bad: [string, string][] = [
  ['PORT', 'abc'],
  ['PORT', '70000'],
  ['PORT', '-1'],
  ['PORT', '3000.5'],
  ['HOST', 'not a host'],
  ['SANDBOX', 'yes'],
  ['LOG_LEVEL', 'loud'],
  ['LOG', 'xml'],
  ['API_DOCS', 'yes'],
  ['SIGN_SECRET', 'short'],
  ['DATABASE_URL', 'mysql://localhost/x'],
  ['DATABASE_URL', 'nonsense'],
  ['DATABASE_URL', 'postgres://'],
  ['REDIS_URL', 'http://localhost'],
  ['RATE_LIMIT', '1.5'],
  ['TRUST_PROXY', 'all'],
  ['AI_FREE_PER_DAY', '0'],
  ['S3_ENDPOINT', 'ftp://storage'],
  ['DB_POOL_SIZE', '0'],
  ['DRAIN_SECONDS', '301'],
  ['PROCESS', 'both'],
  ['METRICS_PORT', 'on'],
  ['METRICS_HOST', 'not a host'],
  ['CONTENT_DIR', 'server/contents'],
  ['PUBLIC_URL', 'https://gz.example.com/app'],
  ['PUBLIC_URL', 'https://me:secret@gz.example.com'],
  // only one process may use the embedded database
  ['PROCESS', 'web'],
]
test.each(bad)('%s=%s is refused with one sentence that names it', (name, value) => {
  const parse = () => parseSettings({ [name]: value })
  expect(parse).toThrow(StartError)
  expect(parse).toThrow(new RegExp(`^设置 ${name} 不正确：应为.+。$`))
})

test('the message about an invalid address does not contain its password', () => {
  expect(() => parseSettings({ DATABASE_URL: 'mysql://me:hunter2@db/x' })).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
  )
})

test('the log is for people, and JSON in production or if asked for', () => {
  expect(parseSettings({}).logFormat).toBe('pretty')
  expect(parseSettings({ LOG: 'json' }).logFormat).toBe('json')
  const production = { NODE_ENV: 'production', SIGN_SECRET: 'a-long-secret', IDENTITY_KEYS: `k1:${'A'.repeat(43)}=` }
  expect(parseSettings(production).logFormat).toBe('json')
  expect(parseSettings({ ...production, LOG: 'pretty' }).logFormat).toBe('pretty')
})

test('S3 needs all of its settings', () => {
  expect(() => parseSettings({ S3_ENDPOINT: 'https://s3.test' })).toThrow(
    /^设置 S3_BUCKET、S3_ACCESS_KEY_ID、S3_SECRET_ACCESS_KEY 缺失/,
  )
})

test('a fresh clone has the sandbox, listens on loopback only, and keeps its data beside the code', () => {
  expect(parseSettings({ PORT: '', SIGN_SECRET: ' ' }, '/app')).toMatchObject({
    production: false,
    port: 3000,
    host: 'localhost',
    dataDir: '/app/data',
    databaseUrl: undefined,
    sandbox: true,
    apiDocs: true,
    rateLimit: 0,
    aiFreePerDay: 3,
  })
})

test('production has no sandbox, but a rate limit and a secret of its own', () => {
  expect(() => parseSettings({ NODE_ENV: 'production' })).toThrow(/^设置 SIGN_SECRET 缺失/)
  const SIGN_SECRET = 'a-long-secret'
  expect(() => parseSettings({ NODE_ENV: 'production', SIGN_SECRET })).toThrow(/^设置 IDENTITY_KEYS 缺失/)
  const IDENTITY_KEYS = `k1:${Buffer.alloc(32, 1).toString('base64')}`
  expect(parseSettings({ NODE_ENV: 'production', SIGN_SECRET, IDENTITY_KEYS })).toMatchObject({
    host: '0.0.0.0',
    sandbox: false,
    apiDocs: false,
    rateLimit: 1200,
    // the rules of the mini-program platform forbid an unlock by sharing
    unlock: { helpOn: ['h5'] },
  })
  expect(parseSettings({ NODE_ENV: 'production', SIGN_SECRET, IDENTITY_KEYS, API_DOCS: '1' }).apiDocs).toBe(true)
  const wanted = { NODE_ENV: 'production', SIGN_SECRET, IDENTITY_KEYS, HELP_ON: 'weapp' }
  expect(parseSettings(wanted).unlock.helpOn).toEqual(['weapp'])
  expect(parseSettings({}).unlock.helpOn).toEqual(['weapp', 'h5'])
})

test.each(['k1', 'k1:c2hvcnQ=', `k1:${'A'.repeat(43)}=,k1:${'B'.repeat(43)}=`])(
  'identity keys %# are refused without being shown',
  (IDENTITY_KEYS) => {
    expect(() => parseSettings({ IDENTITY_KEYS })).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/^设置 IDENTITY_KEYS 不正确(?!.*[AB]{5})/) }),
    )
  },
)
