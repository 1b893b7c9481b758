import { type Selectable, sql } from 'kysely'
import { validateAnswers } from '@/contract/form/validate'
import { estimate } from '@/contract/format'
import { REPORT_PAGE } from '@/contract/pages'
import { DAY_MS } from '@/contract/time'
import type { Deps } from '../../context'
import type { ReportsTable } from '../../db/tables'
import { type AnswerSource, FORMAT } from '../../engine/types'
import { valuate } from '../../engine/valuate'
import { notify } from '../notifications/send'
import { forEachDueRow, type IsOpen } from '../shared/due-rows'
import type { Job } from '../shared/job'
import { pageLink } from '../shared/page-link'

/** ms after a valuation in which its owner is notified of price changes */
const FOLLOW_FOR = 90 * DAY_MS
/** reports per batch: a valuation takes milliseconds of the event loop, which also serves requests */
const BATCH = 20
/** per cent; default of the user's setting */
export const DEFAULT_MOVE = 5

type Due = Selectable<ReportsTable> & { percent: number; active: number }

/** The latest computed report of each account not yet compared with its game's active model, if that is readable. */
async function dueReports({ db }: Deps, now: number, isOpen: IsOpen): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select r.*, m.id as active, coalesce((u.settings ->> 'priceMove')::int, ${DEFAULT_MOVE}::int) as percent from reports r
    join models m on m.game_id = r.game_id and m.active and m.format = ${sql.lit(FORMAT)} and m.id <> coalesce(r.moved_model, r.model_id)
    join users u on u.id = r.user_id and not u.erased
    where r.model_id is not null and r.status <> 'REVOKED' and r.created_at > ${now - FOLLOW_FOR}::bigint
      and coalesce((u.settings ->> 'priceMove')::int, ${DEFAULT_MOVE}::int) > 0
      and ${isOpen(sql`r.report_no`)}
      and not exists (select 1 from reports n where n.user_id = r.user_id and n.account_id = r.account_id
        and n.model_id is not null and (n.created_at, n.report_no) > (r.created_at, r.report_no))
    order by r.created_at limit ${BATCH}`.execute(db)
  return rows
}

interface Today {
  fen: number
  /** name of the game */
  name: string
}

/** The account's price by the current model; undefined when it can no longer be computed. */
async function priceNow({ games, models }: Deps, { game_id, inputs }: Due, now: number): Promise<Today | undefined> {
  const { config } = await games.find(game_id)
  const active = await models.active(config)
  // the form has changed: the answers may no longer be valid
  if (!active || validateAnswers(config, inputs.answers, 'AI').some(({ level }) => level === 'error')) return undefined
  const valued = valuate(active.model, config, inputs.answers, { now, source: inputs.source as AnswerSource })
  return valued.ok ? { fen: valued.price.predictFen, name: config.name } : undefined
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
    const { fen, name } = today
    const share = Math.round((Math.abs(fen - before) / before) * 100)
    await notify(tx, {
      userId: due.user_id,
      type: 'PRICE_CHANGED',
      title: '行情变动',
      summary: `您的${name}账号参考价现约 ${estimate(fen)}，比上次${fen > before ? '高' : '低'} ${share}%`,
      body: `按最新行情，您估过的${name}账号参考价现约 ${estimate(fen)}（上次 ${estimate(before)}）。这是按当时填写的资料重新计算的，账号有变化请重新估价。提醒幅度可以在“设置”里修改或关闭。`,
      bizType: 'PRICE',
      bizId: due.report_no,
      link: pageLink(REPORT_PAGE, { reportNo: due.report_no }),
      now,
    })
  })
}

/** Notifies users of price changes by new models, for accounts valued in the last 90 days (rule: once per crossing). */
export const priceMoves: Job = {
  name: 'price moves',
  run: (deps, now) =>
    forEachDueRow(deps, now, {
      job: 'price moves',
      due: (isOpen) => dueReports(deps, now, isOpen),
      idOf: ({ report_no }) => report_no,
      async work(one) {
        await compare(deps, one, now)
        return true
      },
    }),
}
