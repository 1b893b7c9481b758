import { randomUUID } from 'node:crypto'
import { rm, statfs, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Kysely } from 'kysely'
import { schemaOf } from './db/migrate'
import type { Tables } from './db/tables'

export type Check = 'database' | 'migrations' | 'disk'
export type Readiness = Record<Check, boolean>

interface Options {
  db: Kysely<Tables>
  /** where the database or the pictures are on this machine; undefined: neither is */
  dir: string | undefined
}

/** ms a check may take: a balancer gives up soon after */
const WITHIN = 2000
/** ms an answer is used again, so that frequent questions cost nothing */
const FRESH_FOR = 1000
/** bytes that must be free: the database stops at none, and one picture may take 10 MB */
const FREE = 64 * 1024 * 1024

/** False when the work fails or is not done in time; the work itself goes on and is told to nobody. */
async function inTime(work: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, WITHIN, false)
  })
  return Promise.race([work.catch(() => false), late]).finally(() => clearTimeout(timer))
}

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

/** Looks whether this process can serve: its database answers, has every step of this release, and the disk takes files. */
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
    // not by the clock: one that is set back would keep the answer until it has caught up
    const now = performance.now()
    if (!kept || kept.until <= now) kept = { until: now + FRESH_FOR, readiness: look() }
    return kept.readiness
  }
}
