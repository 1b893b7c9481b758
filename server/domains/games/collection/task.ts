import type { Selectable } from 'kysely'
import type { Answers } from '@/contract/form/types'
import { taskFailText } from '@/contract/labels'
import { DAY_MS } from '@/contract/time'
import type { AutoTask, TaskFail, TaskStatus } from '@/contract/types'
import { AppError } from '../../../core/app-error'
import type { UserCtx } from '../../../core/context'
import type { Db } from '../../../db/database'
import type { CollectionTasks } from '../../../db/tables'
import { qrPng } from './png'
import { isRunning } from './task-status'

/** ms a QR code is valid */
export const QR_LIFETIME_MS = 180_000
/** automatic renewals of the QR code */
export const QR_REFRESHES = 3
/** ms a collection may take in all */
export const TASK_TIMEOUT_MS = 600_000
/** ms in which collected answers may be submitted */
export const ANSWERS_LIFETIME_MS = DAY_MS
/** ms between polls by the client: during the first minute, and after it */
const POLL = { quick: 3000, slow: 5000, quickFor: 60_000 }

export type TaskRow = Selectable<CollectionTasks>

/** Begins a query of the tasks of the calling user. */
export const ownTasks = ({ db, userId }: UserCtx) =>
  db.selectFrom('collection_tasks').selectAll().where('user_id', '=', userId)

/** @throws AppError NOT_FOUND, also for another user's task */
export const ownTask = (ctx: UserCtx, taskId: string): Promise<TaskRow> =>
  ownTasks(ctx)
    .where('id', '=', taskId)
    .executeTakeFirstOrThrow(() => new AppError('NOT_FOUND', { msg: '没有找到这次授权' }))

/** Begins a query of a task that locks it until the transaction ends. */
export const lockedTask = (tx: Db, taskId: string) =>
  tx.selectFrom('collection_tasks').selectAll().where('id', '=', taskId).forUpdate()

/** Steps shown to the user: with a QR code, or a lookup by public id. */
const stepsOf = ({ qr, login_type }: TaskRow) =>
  qr !== null || login_type !== 'PUBLIC_ID' ? ['扫码', '确认', '读取', '估价'] : ['查找', '读取', '估价']

const place: Partial<Record<TaskStatus, number>> = {
  SCANNED: 1,
  COLLECTING: -2,
  VALUING: -1,
  SUCCESS: -1,
  INSUFFICIENT: -1,
}
const share: Partial<Record<TaskStatus, number>> = {
  WAIT_SCAN: 10,
  SCANNED: 30,
  VALUING: 95,
  SUCCESS: 100,
  INSUFFICIENT: 100,
}

function failOf({ status, fail_code }: TaskRow): Partial<AutoTask> {
  const code = status === 'INSUFFICIENT' ? 'SAMPLE_INSUFFICIENT' : (fail_code as TaskFail | null)
  return code ? { failCode: code, failMsg: taskFailText[code] } : {}
}

function scanOf({ status, qr, qr_expire_at, webview_url }: TaskRow): Partial<AutoTask> {
  if (!isRunning(status)) return {}
  return {
    ...(webview_url !== null && { webviewUrl: webview_url }),
    ...(status === 'WAIT_SCAN' &&
      qr !== null &&
      qr_expire_at !== null && { qrUrl: qr, qrImage: qrPng(qr), qrExpireAt: qr_expire_at }),
  }
}

/** A task as sent to its owner. */
export function toTask(row: TaskRow, now: number): AutoTask {
  const steps = stepsOf(row)
  const step = place[row.status] ?? 0
  const fail = failOf(row)
  const done = row.status === 'SUCCESS' || row.status === 'INSUFFICIENT'
  return {
    taskId: row.id,
    gameId: row.game_id,
    status: row.status,
    progress: row.status === 'COLLECTING' ? 40 + Math.round(row.progress / 2) : (share[row.status] ?? 0),
    steps,
    step: steps[step < 0 ? steps.length + step : step] ?? '',
    ...scanOf(row),
    now,
    ...fail,
    retryable: !isRunning(row.status) && row.status !== 'SUCCESS' && fail.failCode !== 'SAMPLE_INSUFFICIENT',
    pollAfterMs: !isRunning(row.status) ? 0 : now - row.created_at < POLL.quickFor ? POLL.quick : POLL.slow,
    expireAt: row.expire_at,
    ...(done && row.features && { answers: row.features as Answers }),
    ...(row.order_id !== null && { orderId: row.order_id }),
    forgotten: row.forgotten_at !== null,
  }
}
