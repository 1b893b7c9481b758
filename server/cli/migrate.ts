/**
 * `npm run migrate`: applies pending migrations; exit code 0 if the schema is current. To be run before starting a new
 * release on PostgreSQL in production; elsewhere the server does it itself. Safe while servers of the previous release
 * run, and if run concurrently.
 */
import { openDatabase } from '../db/database'
import { schemaOf } from '../db/migrate'
import { parseSettings } from '../settings'
import { print, runMain } from './command'

/** ms to wait for an unavailable database */
const WAIT = 60_000

runMain(async () => {
  const { db, close } = await openDatabase(parseSettings(process.env), { patience: { within: WAIT, print } })
  try {
    const { unknown } = await schemaOf(db)
    print(unknown.length > 0 ? '✓ 数据库结构可用（比本程序新）' : '✓ 数据库结构已是最新')
  } finally {
    await close()
  }
})
