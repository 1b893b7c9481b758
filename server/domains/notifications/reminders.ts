import { sql } from 'kysely'
import { HOUR_MS } from '@/contract/time'
import type { Deps } from '../../context'
import { WechatRefused } from '../../providers/wechat/port'
import { hasCome } from '../shared/due'
import { forEachDueRow, type IsOpen, type Worked } from '../shared/due-rows'
import type { Job } from '../shared/job'

/** ms after which a report that is ready is no news any more */
const MAX_AGE = HOUR_MS
/** ms between two tries while WeChat cannot be asked */
const AGAIN = 300_000
const BATCH = 20
/** WeChat's answer where somebody has not allowed one, or has used it up, and for a person it does not know (any more) */
const notAllowed: readonly number[] = [43101, 40003]

const due = ({ db, wechat }: Deps, now: number, isOpen: IsOpen) =>
  db
    .selectFrom('messages as m')
    .leftJoin('wechat_logins as w', (join) =>
      join.onRef('w.user_id', '=', 'm.user_id').on('w.app_id', '=', wechat.reminds ?? ''),
    )
    .select(['m.id', 'm.title', 'm.summary', 'm.link', 'm.read', 'm.created_at', 'm.remind_at', 'w.openid'])
    .where(hasCome(sql`m.remind_at`, now, AGAIN))
    .where(isOpen(sql`m.id`))
    .orderBy('m.remind_at')
    .limit(BATCH)
    .execute()

type Due = Awaited<ReturnType<typeof due>>[number]

/** Sets when to try again, null for never. Of two processes that want it one gets it. */
async function step({ db }: Deps, { id, remind_at }: Due, next: number | null): Promise<boolean> {
  const row = await db
    .updateTable('messages')
    .set({ remind_at: next })
    .where('id', '=', id)
    .where('remind_at', '=', remind_at)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

async function send(deps: Deps, message: Due, now: number): Promise<Worked> {
  const { openid, link, read, created_at: at, title, summary } = message
  const next = now + AGAIN
  if (openid === null || read || at <= now - MAX_AGE) return step(deps, message, null)
  if (!(await step(deps, message, next))) return false
  try {
    await deps.wechat.remind({ openid, title, summary, at, page: link ?? '' })
  } catch (err) {
    // WeChat is down, so for the others too: all of them are tried again while they are news
    if (!(err instanceof WechatRefused)) {
      deps.log.warn({ err }, 'WeChat could not be reached for a reminder')
      return 'STOP'
    }
    if (!notAllowed.includes(err.errcode)) deps.log.error({ err, alarm: true }, 'WeChat refuses the reminder template')
  }
  return step(deps, { ...message, remind_at: next }, null)
}

/** Tells people in WeChat that their report is ready, where they allowed it once and have not seen it meanwhile. */
export const reminders: Job = {
  name: 'reminders',
  apart: true,
  async run(deps, now) {
    if (!deps.wechat.reminds) return 0
    return forEachDueRow(deps, now, {
      job: 'reminders',
      due: (isOpen) => due(deps, now, isOpen),
      idOf: ({ id }) => id,
      work: (message) => send(deps, message, now),
    })
  },
}
