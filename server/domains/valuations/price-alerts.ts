import { type Selectable, sql } from 'kysely'
import { validateAnswers } from '@/contract/form/validate'
import { estimate, signedShortYuan } from '@/contract/format'
import { REPORT_PAGE } from '@/contract/pages'
import { DAY_MS, MINUTE_MS } from '@/contract/time'
import type { Deps, JobDeps } from '../../core/context'
import type { Reports } from '../../db/tables'
import { type AnswerSource, FORMAT } from '../../engine/types'
import { valuate } from '../../engine/valuate'
import { notify } from '../accounts/notifications/send'
import { canonicalAnswers } from '../games/answers'
import { computedBodyOf } from '../reports/store'
import { type Change, whyChanged } from '../reports/why-changed'
import { forEachDueRow, type NotQuarantined } from '../shared/due-rows'
import type { Job } from '../shared/job'
import { pageLink } from '../shared/page-link'

/** ms after a valuation in which its owner is notified of price changes */
const FOLLOW_FOR = 90 * DAY_MS
/** reports examined per game and pass */
const WINDOW = 200
/** maximum passes per run that find nothing to compare */
const MAX_PASSES = 20
/** ms: the cursor stays behind newer reports, since one that is being written may be older than one already read */
const CURSOR_DELAY_MS = 60_000
/** per cent; default of the user's setting */
export const DEFAULT_MOVE = 5

const JOB = 'price moves'

type Due = Selectable<Reports> & { percent: number; active: number }

interface Seen {
  game_id: string
  model: number
  report_no: string
  created_at: number
  /** position of the cursor; null: none for this model */
  at: number | null
}

/** SQL over a user `u`: the change in per cent from which the user wants to be notified; 0 = never. */
const percentOf = sql<number>`coalesce((u.settings ->> 'priceMove')::int, ${sql.lit(DEFAULT_MOVE)})`

/**
 * The next reports of every game after its cursor, oldest first, by an index: each new model starts over with those of
 * the last 90 days. Most have been valued by the active model already and are skipped.
 */
async function nextReports({ db }: Deps, now: number): Promise<Seen[]> {
  const { rows } = await sql<Seen>`
    select m.game_id, m.id as model, w.report_no, w.created_at, c.at from models m
    left join price_move_cursors c on c.game_id = m.game_id and c.model_id = m.id
    cross join lateral (
      select r.report_no, r.created_at from reports r
      where r.game_id = m.game_id and r.model_id is not null
        and (r.created_at, r.report_no) > (coalesce(c.at, ${now - FOLLOW_FOR}::bigint), coalesce(c.report_no, ''))
      order by r.created_at, r.report_no limit ${sql.lit(WINDOW)}) as w
    where m.active and m.format = ${sql.lit(FORMAT)}`.execute(db)
  return rows
}

/** Of these reports, and of those whose comparison failed before: the latest of each account not yet compared. */
async function dueReports(
  { db }: Deps,
  now: number,
  seen: readonly Seen[],
  notQuarantined: NotQuarantined,
): Promise<Due[]> {
  const numbers = seen.map(({ report_no }) => report_no)
  const { rows } = await sql<Due>`
    select r.*, m.id as active, ${percentOf} as percent from reports r
    join models m on m.game_id = r.game_id and m.active and m.format = ${sql.lit(FORMAT)}
      and m.id <> coalesce(r.moved_model, r.model_id)
    join users u on u.id = r.user_id and not u.erased
    where r.report_no = any(array(select unnest(${numbers}::text[])
        union all select row_id from job_failures where job = ${JOB}))
      and r.model_id is not null and r.status <> 'REVOKED' and r.created_at > ${now - FOLLOW_FOR}::bigint
      and ${percentOf} > 0 and ${notQuarantined(sql`r.report_no`)}
      and not exists (select 1 from reports n where n.user_id = r.user_id and n.account_id = r.account_id
        and n.model_id is not null and (n.created_at, n.report_no) > (r.created_at, r.report_no))
    order by r.created_at`.execute(db)
  return rows
}

/** Moves the cursors past the examined reports. @returns whether more may follow */
async function advance({ db }: Deps, now: number, seen: readonly Seen[]): Promise<boolean> {
  const last = new Map<string, Seen>()
  const count = new Map<string, number>()
  for (const report of seen) {
    count.set(report.game_id, (count.get(report.game_id) ?? 0) + 1)
    if (report.created_at <= now - CURSOR_DELAY_MS) last.set(report.game_id, report)
  }
  for (const { game_id, model: model_id, created_at: at, report_no } of last.values())
    await db
      .insertInto('price_move_cursors')
      .values({ game_id, model_id, at, report_no })
      .onConflict((c) => c.column('game_id').doUpdateSet({ model_id, at, report_no }))
      .execute()
  return [...count].some(([game, n]) => n === WINDOW && last.has(game))
}

interface Today {
  fen: number
  /** what differs from the report, largest first */
  changes: Change[]
  /** name of the game */
  name: string
}

/** The account's price by the current model; undefined when it can no longer be computed. */
async function priceNow(
  { repositories: { games, models } }: Deps,
  { game_id, inputs, body }: Due,
  now: number,
): Promise<Today | undefined> {
  const { config } = await games.find(game_id)
  const active = await models.active(config)
  // the form has changed: the answers may no longer be valid
  if (!active || validateAnswers(config, inputs.answers, 'AI').some(({ level }) => level === 'error')) return undefined
  const valued = valuate(active.model, config, inputs.answers, { now, source: inputs.source as AnswerSource })
  if (!valued.ok) return undefined
  const before = computedBodyOf({ body })
  if (!before) return undefined
  const { breakdown, model } = before
  const answers = canonicalAnswers(config, inputs.answers)
  const changes = whyChanged({ answers, breakdown, model }, { ...valued, answers })
  return { fen: valued.price.predictFen, name: config.name, changes }
}

/** reasons named in a message */
const MAX_REASONS = 2

/** The largest differences in the direction of the move. */
function reasonOf(changes: readonly Change[], up: boolean): string {
  const causes = changes.filter(({ amountFen }) => amountFen > 0 === up).slice(0, MAX_REASONS)
  if (causes.length === 0) return ''
  return `主要因为${causes.map(({ label, amountFen }) => `${label}（${signedShortYuan(amountFen)}）`).join('、')}。`
}

/** Compares a report with the current model, records that, and notifies its owner if the price moved far enough. */
async function compare(deps: Deps, due: Due, now: number): Promise<void> {
  const today = await priceNow(deps, due, now).catch((err: unknown) => {
    deps.log.warn({ err }, 'a report was not compared with the new model')
    return undefined
  })
  const before = due.moved_fen ?? due.predict_fen
  const moved = today !== undefined && Math.abs(today.fen - before) * 100 >= before * due.percent
  await deps.db.transaction().execute(async (tx) => {
    const mine = await tx
      .updateTable('reports')
      .set({ moved_model: due.active, ...(moved && { moved_fen: today.fen }) })
      .where('report_no', '=', due.report_no)
      .where(sql<boolean>`moved_model is not distinct from ${due.moved_model}::int`)
      .returning('report_no')
      .executeTakeFirst()
    // another process was first
    if (!mine || !moved) return
    const { fen, name, changes } = today
    const up = fen > before
    const share = Math.round((Math.abs(fen - before) / before) * 100)
    await notify(tx, {
      userId: due.user_id,
      type: 'PRICE_CHANGED',
      title: '行情变动',
      summary: `您的${name}账号参考价现约 ${estimate(fen)}，比上次${up ? '高' : '低'} ${share}%`,
      body: `按最新行情，您估过的${name}账号参考价现约 ${estimate(fen)}（上次 ${estimate(before)}）。${reasonOf(changes, up)}这是按当时填写的资料重新计算的，账号有变化请重新估价。提醒幅度可以在“设置”里修改或关闭。`,
      bizType: 'PRICE',
      bizId: due.report_no,
      link: pageLink(REPORT_PAGE, { reportNo: due.report_no }),
      now,
    })
  })
}

/** One pass over all games. @returns `more`: a cursor has further reports before it */
async function pass(deps: JobDeps, now: number): Promise<{ compared: number; more: boolean }> {
  const seen = await nextReports(deps, now)
  const compared = await forEachDueRow(deps, now, {
    job: JOB,
    due: (notQuarantined) => dueReports(deps, now, seen, notQuarantined),
    idOf: ({ report_no }) => report_no,
    async process(report) {
      await compare(deps, report, now)
      return true
    },
  })
  // stopped halfway: the next run examines them again
  if (deps.stopping?.aborted) return { compared, more: false }
  return { compared, more: await advance(deps, now, seen) }
}

/**
 * Notifies users of price changes by new models, for accounts valued in the last 90 days (rule: once per crossing).
 */
export const priceAlerts: Job = {
  name: JOB,
  lowPriority: true,
  every: MINUTE_MS,
  async run(deps, now) {
    for (let n = 0; n < MAX_PASSES; n += 1) {
      const { compared, more } = await pass(deps, now)
      if (compared > 0 || !more) return compared
    }
    // the pass is not finished, so the run goes on
    return 1
  },
}
