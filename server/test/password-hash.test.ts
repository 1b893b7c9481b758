import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { hashPassword, verifyPassword } from '../core/password-hash'
import { root } from './temp'

test('a hash is argon2id, salted, and matches its password only', async () => {
  const [first, other] = await Promise.all([hashPassword('correct horse 1'), hashPassword('correct horse 1')])
  expect(first).toMatch(/^\$argon2id\$v=19\$/)
  expect(first).not.toBe(other)
  expect(await verifyPassword(first, 'correct horse 1')).toBe(true)
  expect(await verifyPassword(first, 'correct horse 2')).toBe(false)
})

// the parameters of production are tested on a row that a real process wrote: desk-login.test.ts, "the first admin …"
test('no other file of the server hashes passwords, so all hashes have the same cost', () => {
  const server = path.join(root, 'server')
  const files = readdirSync(server, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.startsWith('test/'),
  )
  const users = files.filter((name) => readFileSync(path.join(server, name), 'utf8').includes("'@node-rs/argon2'"))
  expect(users).toEqual(['core/password-hash.ts'])
})
