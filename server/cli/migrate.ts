/**
 * `npm run migrate`: gives the database the structure of this release, and ends with exit code 0 when it has it. Before a
 * new release is started on PostgreSQL in production; anywhere else the server does it by itself. May run while servers of
 * the release before serve, and more than once at a time.
 */
import { openDatabase } from '../db/database'
import { schemaOf } from '../db/migrate'
import { parseSettings } from '../settings'
import { reasonOf, StartError } from '../start-error'

/** ms to wait for a database that does not answer */
const WAIT = 30_000

const say = (line: string) => console.error(line)

async function run() {
  const { db, close } = await openDatabase(parseSettings(process.env), { patience: { within: WAIT, say } })
  try {
    const { unknown } = await schemaOf(db)
    console.error(unknown.length > 0 ? '✓ 数据库结构可用（比本程序新）' : '✓ 数据库结构已是最新')
  } finally {
    await close()
  }
}

run().catch((e) => {
  console.error(`✗ ${e instanceof StartError ? e.message : `没有完成：${reasonOf(e)}。`}`)
  process.exitCode = 1
})
