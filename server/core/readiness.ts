import { randomUUID } from 'node:crypto'
import { rm, statfs, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { schemaOf } from '../db/migrate'
import type { DB } from '../db/tables'

export type Check = 'database' | 'migrations' | 'disk'
export type Readiness = Record<Check, boolean>

interface Options {
  db: Kysely<DB>
  /** local folder of database or pictures; undefined if there is none */
  dir: string | undefined
}

/** ms: time limit of a check; load balancers give up soon after */
const WITHIN = 2000
/** ms a result is cached, so that frequent checks cost nothing */
const FRESH_FOR = 1000
/** bytes of free disk space required: the database stops at 0, and one picture may take 10 MB */
const FREE = 64 * 1024 * 1024

/** False if the work fails or exceeds the time limit; it is not cancelled, and its result is ignored. */
const inTime = (work: Promise<boolean>): Promise<boolean> =>
  Promise.race([work.catch(() => false), delay(WITHIN, false, { ref: false })])

async function isWritable(dir: string): Promise<boolean> {
  const probe = path.join(dir, `.ready-${randomUUID()}`)
  const { bavail, bsize } = await statfs(dir)
  if (bavail * bsize < FREE) return false
  try {
    await writeFile(probe, 'x')
    return true
  } finally {
    await rm(probe, { force: true })
  }
}

/**
 * Checks whether this process can serve: the database answers, has every migration of this release, and the disk is
 * writable.
 */
export function createReadiness({ db, dir }: Options): () => Promise<Readiness> {
  let kept: { until: number; readiness: Promise<Readiness> } | undefined
  const look = async (): Promise<Readiness> => {
    const schema = schemaOf(db)
    const [database, migrations, disk] = await Promise.all([
      inTime(schema.then(() => true)),
      inTime(schema.then(({ pending }) => pending.length === 0)),
      inTime(dir === undefined ? Promise.resolve(true) : isWritable(dir)),
    ])
    return { database, migrations, disk }
  }
  return () => {
    // monotonic: with a wall clock that is set back the result would stay cached until it has caught up
    const now = performance.now()
    if (!kept || kept.until <= now) kept = { until: now + FRESH_FOR, readiness: look() }
    return kept.readiness
  }
}
