/** @group postgres */
/** The drill of docs/deployment.md: backup, an empty database and folder, restore, check. */
import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { insertGamesWithoutSales } from './games-without-sales'
import { createTestDatabase, onPostgres, startServer, type TestDatabase } from './harness'
import { createDatabase, dropDatabase } from './postgres'
import { call, type ServerProcess, startProcess } from './process'
import { root, tempFolder } from './temp'
import { uploadPicture } from './upload-picture'

const real = onPostgres ? test : test.skip
let testDatabase: TestDatabase | undefined
let server: ServerProcess | undefined
afterAll(async () => {
  server?.child.kill('SIGKILL')
  await server?.ended
  testDatabase?.remove()
})

function script(name: string, env: Record<string, string>, ...args: string[]) {
  const { PATH = '', HOME = '' } = process.env
  return spawnSync(path.join(root, 'deploy', name), args, { encoding: 'utf8', env: { PATH, HOME, ...env } })
}

real(
  'what was backed up is there again: rows, pictures, ledger; a damaged backup and a used database are refused',
  async () => {
    testDatabase = await createTestDatabase()
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

    // restore.sh runs the compiled tools
    expect(spawnSync(process.execPath, ['scripts/build.mjs', 'server'], { cwd: root }).status).toBe(0)
    const backups = tempFolder('backups-')
    const elsewhere = script('backup.sh', { ...testDatabase.env, DATA_DIR: tempFolder('empty-'), BACKUP_DIR: backups })
    expect([elsewhere.status, elsewhere.stderr]).toEqual([1, expect.stringContaining('no pictures at')])
    expect(readdirSync(backups)).toEqual([])
    const made = script('backup.sh', { ...testDatabase.env, BACKUP_DIR: backups, KEEP: '2' })
    expect([made.status, made.stderr]).toEqual([0, ''])
    const folder = made.stdout.trim()
    expect(readdirSync(folder).sort()).toEqual(['SHA256SUMS', 'database.dump', 'uploads'])

    const [address, name] = [testDatabase.env.DATABASE_URL.replace(/\/[^/]*$/, ''), `drill_${process.pid}`]
    const restored = { DATABASE_URL: await createDatabase(address, name), DATA_DIR: tempFolder('drill-') }
    try {
      const damaged = tempFolder('damaged-')
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
  },
)
