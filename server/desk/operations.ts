import { AppError } from '../core/app-error'
import { deferredRefunds } from '../domains/orders/deadline-jobs'
import { allowRefunds, confirmClock, refundLimitState } from '../domains/orders/refunding/automatic-refund-limit'
import { type Html, html } from '../http/html'
import { type DeskContext, logged } from './auth'
import { formatTime, yuan } from './format'
import { csrfInput } from './page'
import type { Desk, FormAction } from './pages'

/** Rows per page. */
const MAX_ROWS = 200

/** Automatic refunds of the last hour against the limits, and refunds held back. */
async function refunds({ deps, now, csrf }: DeskContext): Promise<Html> {
  const { count, fen, limits, raised, jumped, stopped } = await refundLimitState(deps, now)
  const held = await deferredRefunds(deps, now)
  const jump = '服务器时间跳变过，或任务停过 10 分钟以上：管理员确认时间正常之前，都受上限限制'
  const late = '未交付、付款超过 26 小时的到期退款不受上限限制'
  const exempt = (stopped && '上限为 0：没有管理员放行就不退') || (jumped ? jump : late)
  const used = html`<p class="hint">最近一小时自动退款 ${count} 笔（上限 ${limits.count} 笔）、${yuan(fen)}（上限 ${yuan(limits.fen)}）${raised && '，上限已由管理员提高'}。${exempt}；用户或员工决定的退款不受限制。</p>`
  // what the page shows is sent along, and no more is released than that
  const form = (button: Html) =>
    html`<form method="post" action="/desk/operations/refunds">${csrfInput(csrf)}<input type="hidden" name="count" value="${held.count}"><input type="hidden" name="fen" value="${held.fen}"><input type="hidden" name="jumped" value="${jumped ? '1' : ''}">${button}</form>`
  if (held.count === 0) return jumped ? html`${used}${form(html`<button>服务器时间正常</button>`)}` : used
  return html`${used}<p class="note bad" role="alert">有 ${held.count} 笔自动退款（共 ${yuan(held.fen)}）因超过上限而暂缓，订单保持原状态。请先确认服务器时间与这些订单是否正常，再放行${jumped && '；放行即确认时间正常'}。</p>
${form(html`<button class="go">放行这 ${held.count} 笔</button>`)}`
}

/** Rows that jobs failed to process. */
async function failures({ deps: { db }, csrf }: DeskContext): Promise<Html> {
  const rows = await db
    .selectFrom('job_failures')
    .selectAll()
    .orderBy('quarantined_at')
    .orderBy('last_at', 'desc')
    .limit(MAX_ROWS)
    .execute()
  if (rows.length === 0) return html`<p class="note good">没有处理失败的任务。</p>`
  return html`<div class="scroll card"><table>
<tr><th>任务</th><th>对象</th><th>原因</th><th class="num">次数</th><th>首次</th><th>最近</th><th>状态</th><th></th></tr>${rows.map(
    (
      r,
    ) => html`<tr><td>${r.job}</td><td><code>${r.row_id}</code></td><td>${r.reason}</td><td class="num">${r.attempts}</td>
<td>${formatTime(r.first_at)}</td><td>${formatTime(r.last_at)}</td><td>${r.quarantined_at === null ? `${formatTime(r.next_at)} 再试` : html`<span class="tag warn">已隔离</span>`}</td>
<td>${r.quarantined_at !== null && html`<form class="inline" method="post" action="/desk/operations/retry">${csrfInput(csrf)}<input type="hidden" name="job" value="${r.job}"><input type="hidden" name="row" value="${r.row_id}"><button class="link">再试一次</button></form>`}</td></tr>`,
  )}</table></div><p class="hint">同一对象失败三次后隔离，不再自动处理，其他对象不受影响。排除原因后点“再试一次”。</p>`
}

async function page(ctx: DeskContext): Promise<Html> {
  return html`<h2>自动退款</h2>${await refunds(ctx)}<h2>处理失败的任务</h2>${await failures(ctx)}`
}

/**
 * Releases the refunds that the page showed as held back; later ones are held back again. It also confirms the clock, where
 * the page said that it has jumped.
 * @throws AppError VALIDATION_FAILED when it has jumped since
 */
const allow: FormAction = async (ctx, _req, fields) => {
  const { deps, now } = ctx
  const held = await deferredRefunds(deps, now)
  const { jumped } = await refundLimitState(deps, now)
  if (jumped && fields.jumped !== '1')
    throw new AppError('VALIDATION_FAILED', { msg: '服务器时间刚刚跳变过。请先确认时间和这些订单是否正常，再放行。' })
  const count = Math.min(held.count, Number(fields.count) || 0)
  const fen = Math.min(held.fen, Number(fields.fen) || 0)
  if (count > 0 || jumped)
    await logged(ctx, async (tx) => {
      if (count > 0) await allowRefunds(tx, deps.settings, { count, fen, now })
      if (jumped) await confirmClock(tx, now)
      return { action: 'REFUND_ALLOW', note: `${count} 笔，共 ${yuan(fen)}${jumped ? '，确认时间正常' : ''}` }
    })
  return { to: '/desk/operations', done: 'allowed' }
}

const retry: FormAction = async (ctx, _req, { job = '', row = '' }) => {
  await logged(ctx, async (tx) => {
    const lifted = await tx
      .updateTable('job_failures')
      .set({ quarantined_at: null, attempts: 0, next_at: ctx.now })
      .where('job', '=', job)
      .where('row_id', '=', row)
      .where('quarantined_at', 'is not', null)
      .returning('reason')
      .executeTakeFirst()
    if (!lifted) throw new AppError('NOT_FOUND', { msg: '这一条已经不在隔离中' })
    return { action: 'JOB_RETRY', subject: `${job} ${row}`, note: lifted.reason }
  })
  return { to: '/desk/operations', done: 'changed' }
}

/** Background work that is held back or failing. */
export const registerOperations = (desk: Desk): void =>
  desk.page('/desk/operations', '运行', page, { refunds: allow, retry })
