import { type Selectable, sql } from 'kysely'
import { invalid } from '../../../core/app-error'
import type { Deps } from '../../../core/context'
import type { Db } from '../../../db/database'
import type { DB } from '../../../db/tables'
import { linkTypeOf } from '../../content/banners'
import { type NotQuarantined, rowsJob } from '../../shared/due-rows'
import { sha256 } from '../../shared/secrets'
import { type NewMessage, notifyOnce } from './send'

export const maxLength = { title: 20, body: 500 } as const
/** characters of the text shown in the list */
const SUMMARY = 60
/** users per transaction */
const BATCH = 500

type Broadcast = Selectable<DB['broadcasts']>

interface BroadcastText {
  kind: Broadcast['kind']
  title: string
  body: string
  /** page of the app; null: none */
  link: string | null
}

/** Converts the form into a message. @throws AppError VALIDATION_FAILED listing every issue */
export function messageOf(typed: { kind: string; title: string; body: string; link: string }): BroadcastText {
  const [title, body, link] = [typed.title.trim(), typed.body.replaceAll('\r\n', '\n').trim(), typed.link.trim()]
  const kind = (['SYSTEM', 'ACTIVITY'] as const).find((kind) => kind === typed.kind)
  const long = (text: string, limit: number) => text === '' || Array.from(text).length > limit
  const issues = [
    kind === undefined && '请选择消息类型',
    long(title, maxLength.title) && `标题为 1-${maxLength.title} 字`,
    long(body, maxLength.body) && `正文为 1-${maxLength.body} 字`,
    !['PAGE', 'NONE'].includes(linkTypeOf(link) ?? '') && '链接应为本应用的页面（/pages…），可不填',
  ].filter((issue) => typeof issue === 'string')
  if (issues.length > 0 || kind === undefined) throw invalid(issues.map((msg) => ({ path: '', msg })))
  return { kind, title, body, link: link === '' ? null : link }
}

function summaryOf(body: string): string {
  const line = Array.from(body.split('\n', 1)[0] ?? '')
  return line.length > SUMMARY || line.length < Array.from(body).length
    ? `${line.slice(0, SUMMARY - 1).join('')}…`
    : line.join('')
}

const noticeOf = ({ kind, title, body, link }: BroadcastText, now: number): Omit<NewMessage, 'id' | 'userId'> => ({
  ...{ type: 'SYSTEM', title, summary: summaryOf(body), body, bizType: kind, now },
  ...(link !== null && { link }),
})

/** SQL over `users`: whether the user opted in to promotional messages (off by default). */
const wantsActivities = sql<boolean>`coalesce((settings ->> 'pushActivity')::boolean, false)`

/**
 * Schedules a message to all current users; the job below sends it.
 * @param id the form's idempotency id
 * @returns false when that form was already submitted
 */
export async function broadcast(
  tx: Db,
  { id, text, now }: { id: string; text: BroadcastText; now: number },
): Promise<boolean> {
  const made = await tx
    .insertInto('broadcasts')
    .values({ ...text, id, created_at: now, done_at: null })
    .onConflict((c) => c.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return made !== undefined
}

/**
 * Withdraws a message to all: recipients no longer see it (`notWithdrawn`), and it is sent to nobody else.
 * @returns its title; undefined: no such message, or already withdrawn
 */
export async function withdraw(tx: Db, id: string, now: number): Promise<string | undefined> {
  const withdrawn = await tx
    .updateTable('broadcasts')
    .set((e) => ({ withdrawn_at: now, done_at: e.fn.coalesce('done_at', e.val(now)) }))
    .where('id', '=', id)
    .where('withdrawn_at', 'is', null)
    .returning('title')
    .executeTakeFirst()
  return withdrawn?.title
}

const due = ({ db }: Deps, notQuarantined: NotQuarantined) =>
  db
    .selectFrom('broadcasts')
    .selectAll()
    .where('done_at', 'is', null)
    .where(notQuarantined(sql`broadcasts.id`))
    .orderBy('created_at')
    .limit(5)
    .execute()

/** Sends to the next users in order of id and stores the progress, in one transaction. */
async function sendBatch(tx: Db, { id, last_user }: Broadcast, now: number): Promise<boolean> {
  const b = await tx
    .selectFrom('broadcasts')
    .selectAll()
    .where('id', '=', id)
    .where('last_user', '=', last_user)
    .where('done_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  // another process was first
  if (!b) return false
  const users = await tx
    .selectFrom('users')
    .select(['id', wantsActivities.as('wants')])
    .where('id', '>', last_user)
    .where('created_at', '<=', b.created_at)
    .where('erased', '=', false)
    .orderBy('id')
    .limit(BATCH)
    // waits for a concurrent merge of the account, which deletes it
    .forKeyShare()
    .execute()
  const notice = noticeOf(b, b.created_at)
  const sent = await notifyOnce(
    tx,
    users
      .filter(({ wants }) => b.kind === 'SYSTEM' || wants)
      .map((user) => ({ ...notice, id: sha256(`${id}:${user.id}`).slice(0, 20), userId: user.id })),
  )
  await tx
    .updateTable('broadcasts')
    .set({
      ...{ last_user: users.at(-1)?.id ?? last_user, sent: b.sent + sent },
      done_at: users.length < BATCH ? now : null,
    })
    .where('id', '=', id)
    .execute()
  return true
}

/** Sends messages of the staff to all users, one batch per pass, so that other work is not delayed. */
export const broadcasts = rowsJob({ name: 'broadcasts' }, (deps, now) => ({
  due: (notQuarantined) => due(deps, notQuarantined),
  idOf: ({ id }) => id,
  process: (b) => deps.db.transaction().execute((tx) => sendBatch(tx, b, now)),
}))
