import { sql } from 'kysely'
import { HOUR_MS } from '@/contract/time'
import type { Deps } from '../../../core/context'
import { WechatRejected } from '../../../providers/wechat/port'
import { isTimeReached } from '../../shared/due'
import { type NotQuarantined, type RowOutcome, rowsJob } from '../../shared/due-rows'

/** ms after which no reminder is sent */
const MAX_AGE = HOUR_MS
/** ms between retries while WeChat cannot be reached */
const AGAIN = 300_000
const BATCH = 20
/** WeChat's error codes: the user has not granted a message, has used up the grant, or is unknown */
const notAllowed: readonly number[] = [43101, 40003]

const due = ({ db, providers: { wechat } }: Deps, now: number, notQuarantined: NotQuarantined) =>
  db
    .selectFrom('messages as m')
    .leftJoin('wechat_logins as w', (join) =>
      join.onRef('w.user_id', '=', 'm.user_id').on('w.app_id', '=', wechat.reminderAppId ?? ''),
    )
    .select(['m.id', 'm.title', 'm.summary', 'm.link', 'm.read', 'm.created_at', 'm.remind_at', 'w.openid'])
    .where(isTimeReached(sql`m.remind_at`, now, AGAIN))
    .where(notQuarantined(sql`m.id`))
    .orderBy('m.remind_at')
    .limit(BATCH)
    .execute()

type Due = Awaited<ReturnType<typeof due>>[number]

/** Sets the next attempt, null for none, in a conditional update; exactly one process succeeds. */
async function step({ db }: Deps, { id, created_at, remind_at }: Due, next: number | null): Promise<boolean> {
  const row = await db
    .updateTable('messages')
    .set({ remind_at: next })
    .where('id', '=', id)
    .where('created_at', '=', created_at)
    .where('remind_at', '=', remind_at)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

async function send(deps: Deps, message: Due, now: number): Promise<RowOutcome> {
  const { openid, link, read, created_at: at, title, summary } = message
  const next = now + AGAIN
  if (openid === null || read || at <= now - MAX_AGE) return step(deps, message, null)
  if (!(await step(deps, message, next))) return false
  try {
    await deps.providers.wechat.remind({ openid, title, summary, at, page: link ?? '' })
  } catch (err) {
    // WeChat is down: the reminder is retried while it is still relevant
    if (!(err instanceof WechatRejected)) {
      deps.log.warn({ err }, 'WeChat could not be reached for a reminder')
      return 'STOP'
    }
    if (!notAllowed.includes(err.errcode)) deps.log.error({ err, alarm: true }, 'WeChat refuses the reminder template')
  }
  return step(deps, { ...message, remind_at: next }, null)
}

/** Sends a WeChat message that a report is ready, or that asks for a sale, to users who allowed one and have not read it here. */
export const reminders = rowsJob({ name: 'reminders', lowPriority: true }, (deps, now) => ({
  due: async (notQuarantined) => (deps.providers.wechat.reminderAppId ? due(deps, now, notQuarantined) : []),
  idOf: ({ id }) => id,
  process: (message) => send(deps, message, now),
}))
