/** Reads the queued screenshots, in processes that answer no requests or through a child process of the recogniser. */
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import type { Selectable } from 'kysely'
import type { Deps } from '../../../core/context'
import type { StoredPage } from '../../../db/columns'
import type { ScreenshotTasks } from '../../../db/tables'
import { type OcrPage, type OcrPort, UnreadablePicture } from '../../../providers/ocr/port'
import { readAll } from './answers'

/** ms between two looks into the empty queue: a user is waiting */
const POLL = 400
/** ms after which a picture in progress is assumed to belong to a process that died */
const CLAIMED_FOR = 90_000
/** failures of one picture before the task is given up */
const MAX_TRIES = 3
const FAILED_NOTE = '识别没有成功，已上传的截图还在，请再试一次或自己填写'

type Row = Selectable<ScreenshotTasks>

/** Takes the task that has waited longest for its next picture. */
async function claim({ db, clock }: Deps): Promise<Row | undefined> {
  const now = clock.now()
  return db
    .updateTable('screenshot_tasks')
    .set({ status: 'READING', claimed_at: now })
    .where(({ eb, selectFrom }) =>
      eb(
        'id',
        'in',
        selectFrom('screenshot_tasks')
          .select('id')
          .where('status', 'in', ['WAITING', 'READING'])
          .where((e) => e.or([e('status', '=', 'WAITING'), e('claimed_at', '<', now - CLAIMED_FOR)]))
          .orderBy('created_at')
          .limit(1)
          .forUpdate()
          .skipLocked(),
      ),
    )
    .returningAll()
    .executeTakeFirst()
}

async function pageOf({ providers: { storage } }: Deps, ocr: OcrPort, key: string): Promise<OcrPage | undefined> {
  const file = await storage.read(key)
  if (!file) return undefined
  try {
    return await ocr.read(await buffer(file))
  } catch (err) {
    if (err instanceof UnreadablePicture) return undefined
    throw err
  }
}

/** Stores a picture that was read, or the answers after the last one; nothing when another process took the task over. */
async function store(
  { db, repositories: { games }, clock }: Deps,
  { id, game_id, keys, claimed_at }: Row,
  pages: StoredPage[],
) {
  const isDone = pages.length >= keys.length
  const { config } = await games.find(game_id)
  const result =
    isDone &&
    readAll(
      config,
      (await games.all()).map((game) => game.config),
      pages,
    )
  const stored = await db
    .updateTable('screenshot_tasks')
    .set({
      pages: JSON.stringify(pages),
      tries: 0,
      processor_ms: pages.reduce((ms, { page }) => ms + (page?.processorMs ?? 0), 0),
      claimed_at: clock.now(),
      ...(result && { status: 'DONE', result: JSON.stringify(result) }),
    })
    .where('id', '=', id)
    .where('status', '=', 'READING')
    .where('claimed_at', '=', claimed_at)
    .returning('claimed_at')
    .executeTakeFirst()
  return stored?.claimed_at
}

async function fail({ db, log }: Deps, row: Row, err: unknown): Promise<void> {
  const isLast = row.tries + 1 >= MAX_TRIES
  log.error({ err, task: row.id, ...(isLast && { alarm: true }) }, 'a screenshot could not be read')
  const result = { answers: {}, sources: [], ask: [], note: FAILED_NOTE }
  await db
    .updateTable('screenshot_tasks')
    .set(isLast ? { status: 'FAILED', result: JSON.stringify(result) } : { status: 'WAITING', tries: row.tries + 1 })
    .where('id', '=', row.id)
    .where('status', '=', 'READING')
    .where('claimed_at', '=', row.claimed_at)
    .execute()
}

/**
 * Reads the pictures of the next task, if one is due. What is read is stored picture by picture, so that a process that
 * dies loses one at most.
 * @returns whether there was one
 */
export async function readNextTask(deps: Deps, ocr: OcrPort, signal?: AbortSignal): Promise<boolean> {
  const row = await claim(deps)
  if (!row) return false
  const pages = [...row.pages]
  let claimed: Row = row
  try {
    for (const key of row.keys.slice(pages.length)) {
      if (signal?.aborted) return false
      const page = await pageOf(deps, ocr, key)
      pages.push({ key, ...(page && { page }) })
      const claimedAt = await store(deps, claimed, pages)
      if (claimedAt === undefined) return true
      claimed = { ...claimed, claimed_at: claimedAt, tries: 0 }
    }
  } catch (err) {
    if (!signal?.aborted) await fail(deps, claimed, err)
  }
  return true
}

/** Reads tasks as they arrive, one at a time, until it is stopped. */
export function startScreenshotReader(deps: Deps, ocr: OcrPort): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const work = async () => {
    while (!signal.aborted) {
      const found = await readNextTask(deps, ocr, signal).catch((err: unknown) => {
        if (!signal.aborted) deps.log.warn({ err }, 'the queue of screenshots is not available')
        return false
      })
      if (!found) await delay(POLL, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }
  const working = work()
  return {
    async stop() {
      stopping.abort()
      await ocr.close()
      await working
    },
  }
}
