import { type Selectable, sql } from 'kysely'
import { SETTINGS_PAGE } from '@/contract/pages'
import { MINUTE_MS } from '@/contract/time'
import type { Deps } from '../../../core/context'
import type { DataExports } from '../../../db/tables'
import { rowsJob } from '../../shared/due-rows'
import type { Job } from '../../shared/job'
import { pageLink } from '../../shared/page-link'
import { notify } from '../notifications/send'
import { EXPORT_LIFETIME_MS } from './exports'
import { makeExport } from './make'

/** attempts before the user is informed of the failure */
const MAX_TRIES = 3
/** exports made per run: each may take a minute */
const BATCH = 3

type Row = Pick<Selectable<DataExports>, 'id' | 'user_id' | 'tries'>

/** @returns false when the row is deleted: the account was deleted meanwhile */
const finish = ({ db }: Deps, { id, user_id: userId }: Row, made: { key: string; bytes: number }, now: number) =>
  db.transaction().execute(async (tx) => {
    const done = await tx
      .updateTable('data_exports')
      .set({ status: 'READY', ...made, ready_at: now, expire_at: now + EXPORT_LIFETIME_MS })
      .where('id', '=', id)
      .where('status', '=', 'WAITING')
      .executeTakeFirst()
    if (done.numUpdatedRows === 0n) return false
    const summary = '您申请的个人信息副本已整理完成，请在 24 小时内到设置页下载。'
    const link = pageLink(SETTINGS_PAGE)
    await notify(tx, { userId, type: 'SYSTEM', title: '个人信息副本可以下载了', summary, bizType: 'SYSTEM', link, now })
    return true
  })

async function make(deps: Deps, row: Row): Promise<boolean> {
  const tries = row.tries + 1
  // before the attempt, which may end the process
  await deps.db.updateTable('data_exports').set({ tries }).where('id', '=', row.id).execute()
  try {
    const made = await makeExport(deps, row.user_id)
    if (await finish(deps, row, made, deps.clock.now())) return true
    await deps.providers.storage.remove([made.key])
    return false
  } catch (err) {
    if (tries < MAX_TRIES) throw err
    deps.log.error({ err, alarm: true, export: row.id }, 'a data export could not be made')
    const failed = deps.db.updateTable('data_exports').set({ status: 'FAILED' }).where('id', '=', row.id)
    return (await failed.where('status', '=', 'WAITING').executeTakeFirst()).numUpdatedRows > 0n
  }
}

/**
 * Makes the requested exports. Separate from the jobs of payments and orders, because it waits for the picture storage.
 */
const makeExports = rowsJob({ name: 'data exports', lowPriority: true }, (deps) => ({
  due: (notQuarantined) =>
    deps.db
      .selectFrom('data_exports')
      .select(['id', 'user_id', 'tries'])
      .where('status', '=', 'WAITING')
      .where(notQuarantined(sql`data_exports.id`))
      .orderBy('requested_at')
      .limit(BATCH)
      .execute(),
  idOf: ({ id }) => id,
  process: (row) => make(deps, row),
}))

/** Removes expired exports, the file before the row. */
const endExports = rowsJob({ name: 'data export expiry', lowPriority: true, every: MINUTE_MS }, (deps, now) => ({
  due: (notQuarantined) =>
    deps.db
      .selectFrom('data_exports')
      .select(['id', 'key'])
      .where('expire_at', '<=', now)
      .where(notQuarantined(sql`data_exports.id`))
      .limit(100)
      .execute(),
  idOf: ({ id }) => id,
  async process({ id, key }) {
    if (key !== null) await deps.providers.storage.remove([key])
    const deleted = await deps.db.deleteFrom('data_exports').where('id', '=', id).executeTakeFirst()
    return deleted.numDeletedRows > 0n
  },
}))

export const dataExportJobs: readonly Job[] = [makeExports, endExports]
