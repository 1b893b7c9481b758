import { randomUUID } from 'node:crypto'
import { rm, statfs, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { schemaOf } from '../db/migrate'
import type { DB } from '../db/tables'

/** ms: time limit of a check; load balancers give up soon after */
const WITHIN = 2000
/** bytes of free disk space required: the database stops at 0, and one picture may take 10 MB */
const FREE = 64 * 1024 * 1024

/** False if the work fails or exceeds the time limit; it is not cancelled, and its result is ignored. */
const inTime = (work: Promise<boolean>): Promise<boolean> =>
  Promise.race([work.catch(() => false), delay(WITHIN, false, { ref: false })])

async function isWritable(dir: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(dir)
  const probe = path.join(dir, `.ready-${randomUUID()}`)
  await writeFile(probe, '').finally(() => rm(probe, { force: true }))
  return bavail * bsize >= FREE
}

/**
 * Whether the database answers, has every migration of this release, and the disk is writable.
 * @param dir local folder of database or pictures; undefined if there is none
 */
export async function checksOf(db: Kysely<DB>, dir: string | undefined) {
  const schema = schemaOf(db)
  const [database, migrations, disk] = await Promise.all([
    inTime(schema.then(() => true)),
    inTime(schema.then(({ pending }) => pending.length === 0)),
    inTime(dir === undefined ? Promise.resolve(true) : isWritable(dir)),
  ])
  return { database, migrations, disk }
}
