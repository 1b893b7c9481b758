/** The drill of docs/deployment.md: backup, an empty database and folder, restore, check. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { insertGamesWithoutSales } from './games-without-sales'
import { createTestDatabase, startServer, type TestDatabase } from './harness'
import { createDatabase, dropDatabase } from './postgres'
import { call, type ServerProcess, startProcess } from './process'
import { root, tempFolder } from './temp'
import { uploadPicture } from './upload-picture'

const databases: TestDatabase[] = []
let server: ServerProcess | undefined
// restore.sh runs the compiled tools
beforeAll(() => {
  expect(spawnSync(process.execPath, ['scripts/build.mjs', 'server'], { cwd: root }).status).toBe(0)
})
afterAll(async () => {
  server?.child.kill('SIGKILL')
  await server?.ended
  for (const testDatabase of databases) testDatabase.remove()
})

async function newDatabase(): Promise<TestDatabase> {
  const testDatabase = await createTestDatabase()
  databases.push(testDatabase)
  return testDatabase
}
/** Address of the server of a database, and a name for another one there. */
const drillOf = ({ env }: TestDatabase, name: string) =>
  [env.DATABASE_URL.replace(/\/[^/]*$/, ''), `${name}_${process.pid}`] as const

function script(name: string, env: Record<string, string>, ...args: string[]) {
  const { PATH = '', HOME = '' } = process.env
  return spawnSync(path.join(root, 'deploy', name), args, { encoding: 'utf8', env: { PATH, HOME, ...env } })
}

test('what was backed up is there again: rows, pictures, ledger; a damaged backup and a used database are refused', async () => {
  const testDatabase = await newDatabase()
  await insertGamesWithoutSales(testDatabase)
  const before = await startServer({ testDatabase })
  const { token, userId } = await before.login('13800137001')
  const base = await before.app.listen({ port: 0, host: '127.0.0.1' })
  const key = await uploadPicture(before, base, token)
  await before.call(
    'user',
    'submitFeedback',
    { type: 4, content: '这是备份之前写下的一条反馈', images: [key] },
    { token },
  )
  await before.close()

  const backups = tempFolder('valuation-test-backups-')
  const elsewhere = script('backup.sh', {
    ...testDatabase.env,
    DATA_DIR: tempFolder('valuation-test-empty-'),
    BACKUP_DIR: backups,
  })
  expect([elsewhere.status, elsewhere.stderr]).toEqual([1, expect.stringContaining('no pictures at')])
  expect(readdirSync(backups)).toEqual([])
  const made = script('backup.sh', { ...testDatabase.env, BACKUP_DIR: backups, KEEP: '2' })
  expect([made.status, made.stderr]).toEqual([0, ''])
  const folder = made.stdout.trim()
  expect(readdirSync(folder).sort()).toEqual(['SHA256SUMS', 'database.dump', 'uploads'])

  const [address, name] = drillOf(testDatabase, 'drill')
  const restored = { DATABASE_URL: await createDatabase(address, name), DATA_DIR: tempFolder('valuation-test-drill-') }
  try {
    const damaged = tempFolder('valuation-test-damaged-')
    cpSync(folder, damaged, { recursive: true })
    writeFileSync(path.join(damaged, 'uploads', key), 'x')
    expect(script('restore.sh', restored, damaged).status).not.toBe(0)
    const done = script('restore.sh', restored, folder)
    expect([done.status, done.stdout]).toEqual([0, expect.stringContaining('restored')])
    const again = script('restore.sh', restored, folder)
    expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('not empty')])

    server = startProcess(restored)
    const url = await server.ready()
    expect((await call(url, 'user', 'get', {}, token)).data.userId).toBe(userId)
    const [feedback] = (await call(url, 'user', 'feedbackList', {}, token)).data.list
    expect(feedback?.content).toBe('这是备份之前写下的一条反馈')
    expect(readFileSync(path.join(restored.DATA_DIR, 'uploads', key)).length).toBeGreaterThan(0)
  } finally {
    server?.child.kill('SIGKILL')
    await server?.ended
    rmSync(backups, { recursive: true, force: true })
    await dropDatabase(address, name)
  }
})

/** `mc mirror`, with folders in BUCKETS as buckets: like the real one it makes no folder for a bucket without objects. */
const mc = `#!/bin/sh
set -eu
[ "$1 $2 $#" = 'mirror --quiet 4' ]
: "\${MC_HOST_store:?}"
mkdir -p "\${MC_CONFIG_DIR:-$HOME/.mc}"
place() { case $1 in store/*) echo "$BUCKETS/\${1#store/}" ;; *) echo "$1" ;; esac }
to=$(place "$4")
cd "$(place "$3")"
find . -type f | while read -r file; do
  mkdir -p "$to/$(dirname "$file")"
  cp "$file" "$to/$file"
done
`

test('pictures in S3 are mirrored out of one bucket and into another, also when there are none yet', async () => {
  const testDatabase = await newDatabase()
  const [programs, buckets] = [tempFolder('valuation-test-programs-'), tempFolder('valuation-test-buckets-')]
  writeFileSync(path.join(programs, 'mc'), mc, { mode: 0o755 })
  const picture = path.join('ab', 'picture.png')
  const s3 = {
    PATH: `${programs}:${process.env.PATH}`,
    // that of a system user cannot be written to
    HOME: '/proc',
    BUCKETS: buckets,
    S3_ENDPOINT: 'https://s3.test',
    S3_BUCKET: 'pictures',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
    MC_HOST_store: 'https://key:secret@s3.test',
  }
  const backup = (env: Record<string, string> = { MC_SOURCE: 'store/pictures' }) => {
    const folder = tempFolder('valuation-test-backups-')
    const { status, stderr } = script('backup.sh', { ...testDatabase.env, ...s3, BACKUP_DIR: folder, ...env })
    return { status, stderr, folder, names: readdirSync(folder) }
  }
  const [address, name] = drillOf(testDatabase, 's3_drill')
  const restore = (folder: string, env: Record<string, string>) =>
    script('restore.sh', { ...s3, DATABASE_URL: `${address}/${name}`, ...env }, folder)
  try {
    expect(backup({})).toMatchObject({ status: 2, stderr: expect.stringContaining('MC_SOURCE'), names: [] })
    mkdirSync(path.join(buckets, 'pictures', 'ab'), { recursive: true })
    await createDatabase(address, name)
    const early = backup()
    expect(early).toMatchObject({ status: 0, stderr: '', names: [expect.stringMatching(/^\d{8}T\d{6}Z$/)] })
    const first = restore(path.join(early.folder, early.names[0] ?? ''), { MC_TARGET: 'store/restored' })
    expect([first.status, first.stdout]).toEqual([0, expect.stringContaining('restored')])

    writeFileSync(path.join(buckets, 'pictures', picture), 'of a user')
    const made = backup()
    const folder = path.join(made.folder, made.names[0] ?? '')
    expect(readFileSync(path.join(folder, 'SHA256SUMS'), 'utf8')).toContain('uploads/ab/picture.png')
    await dropDatabase(address, name)
    await createDatabase(address, name)
    // refused before the database is filled: the next attempt succeeds
    expect(restore(folder, {})).toMatchObject({ status: 2, stderr: expect.stringContaining('MC_TARGET') })
    const done = restore(folder, { MC_TARGET: 'store/restored' })
    expect([done.status, done.stdout]).toEqual([0, expect.stringContaining('restored')])
    expect(readFileSync(path.join(buckets, 'restored', picture), 'utf8')).toBe('of a user')
  } finally {
    await dropDatabase(address, name)
  }
})
