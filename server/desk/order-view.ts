import { isEmpty, labelOf, visibleFields } from '@/contract/form/answers'
import { comparableKindText, confidenceText, manualLevelText, modeText, outlierText } from '@/contract/labels'
import { type OrderStatus, orderStatusText, revaluationReasonText } from '@/contract/orderStatus'
import { isOutlier } from '@/contract/priceRange'
import { type Html, html } from '../http/html'
import type { DeskContext, Fields } from './auth'
import { messageList } from './chat'
import { comparableFacts } from './comparable-facts'
import { dayOf, formatRemaining, formatTime, yuan } from './format'
import type { LoadedOrder } from './order'
import { orderForms } from './order-forms'
import { statusTag } from './queue'

/** Statuses in which pictures can still be asked for. */
const AWAITING_REPORT = ['PAID', 'ASSIGNED', 'WAIT_INFO', 'REVALUING']

const line = (name: string, value: Html | string | false | null | undefined) =>
  value ? html`<dt>${name}</dt><dd>${value}</dd>` : ''

function summary({ order, config, reportedFen }: LoadedOrder, now: number): Html {
  const { mode, status, level, due_at, info_due_at, refund_due_at } = order
  const until = status === 'REFUNDING' ? refund_due_at : status === 'WAIT_INFO' ? info_due_at : due_at
  const running = ['PAID', 'ASSIGNED', 'REVALUING', 'REFUNDING', 'WAIT_INFO'].includes(status)
  return html`<div class="card"><dl>
${line('状态', html`${statusTag(order)} ${modeText[mode]}${level && ` · ${manualLevelText[level]}`}`)}
${line('时限', running && until !== null && `${formatTime(until)}（${formatRemaining(until, now)}）`)}
${line('订单编号', order.order_no)}${line('游戏', config.name)}${line('用户', order.nickname)}
${line('实付', `${yuan(order.pay_fen)}${order.discount_fen > 0 ? `（已优惠 ${yuan(order.discount_fen)}）` : ''}`)}
${line('成交价', order.sold_fen !== null && `${yuan(order.sold_fen)}（${dayOf(order.sold_at ?? now)}）`)}${line('用户填写的成交价', reportedFen !== null && yuan(reportedFen))}
${line('复估原因', order.revaluation_request?.reasons.map((one) => revaluationReasonText[one]).join('、'))}${line('复估说明', order.revaluation_request?.text)}
${line('用户备注', order.remark)}${line('待补充', order.info_wanted)}
${line('退款原因', status === 'REFUNDING' && order.cancel_reason)}${line('拒绝退款', order.refund_answer)}</dl></div>`
}

/** The account's answers in the form's labels and groups; unanswered fields take one line per group. */
function facts({ order, config }: LoadedOrder): Html {
  const fields = visibleFields(config, order.answers).filter(({ type }) => type !== 'image')
  return html`<h2>账号资料</h2>${config.groups.map(({ key, title }) => {
    const all = fields.filter(({ group }) => group === key)
    const unanswered = all.filter((f) => isEmpty(order.answers[f.key]))
    if (all.length === 0) return ''
    return html`<div class="card"><h3>${title}</h3><dl>
${all.filter((f) => !unanswered.includes(f)).map((f) => line(f.label, labelOf(config, f, order.answers[f.key])))}</dl>
${unanswered.length > 0 && html`<p class="hint">未填：${unanswered.map(({ label }) => label).join('、')}</p>`}</div>`
  })}`
}

/** Thumbnails that link to the full picture, without a script; enlarging and comparing need one. */
const pictures = ({ pictures: urls, order: { mode, status } }: LoadedOrder): Html | string | false =>
  urls.length === 0
    ? mode === 'MANUAL' &&
      html`<h2>截图（0）</h2><p class="bad">用户没有传截图，资料没有核对过。${AWAITING_REPORT.includes(status) && '可以先要求补充；不补就交付的，报告里会写明“估价时没有截图”。'}</p>`
    : html`<h2>截图（${urls.length}）</h2><p class="hint">打开后 <kbd>←</kbd> <kbd>→</kbd> 切换，<kbd>z</kbd> 放大（放大后用方向键移动），<kbd>c</kbd> 与下一张并排，<kbd>Esc</kbd> 关闭</p><div class="pictures">${urls.map(
        (url, i) => html`<a href="#picture-${i + 1}"><img src="${url}" alt="截图 ${i + 1}" loading="lazy"></a>`,
      )}</div>${urls.map(
        (url, i) =>
          html`<div class="big" id="picture-${i + 1}"><p class="tools"><button type="button" data-picture="z">放大或还原</button>
${urls.length > 1 && html`<button type="button" data-picture="c">与下一张并排</button>`}</p><a class="frame" href="#_" aria-label="关闭截图 ${i + 1}"><img src="${url}" alt="截图 ${i + 1}" loading="lazy"></a></div>`,
      )}`

/** The whole comparison with the account of a sale. */
function compared({ accounts, config, order }: LoadedOrder, id: string): Html | string {
  const account = accounts.get(id)
  return account ? comparableFacts(config, order.answers, account) : ''
}

/** Lines and sales without the model's amounts, until the own blind estimate is committed. */
const beforeEstimate = (
  loaded: LoadedOrder,
  { lines, comparables, facts: risks }: NonNullable<LoadedOrder['evidence']>,
): Html => html`
<div class="card"><h2>AI 看了哪些</h2><p class="hint">价格和金额在您提交首次估价后显示。</p>
${risks.length > 0 && html`<p class="bad">风险：${risks.join('；')}</p>`}
<ul>${lines.map(({ label }) => html`<li>${label}</li>`)}</ul></div>
<div class="card"><h2>可比账号（${comparables.length}）</h2><ul class="rows">${comparables.map(
  (
    c,
  ) => html`<li class="row"><span><b>${yuan(c.priceFen)}</b> <span class="tag">${comparableKindText[c.kind]}</span></span>
<small class="end">${dayOf(c.at)}</small><small>${c.diff.length > 0 ? `相比：${c.diff.join('；')}` : '主要资料一致'}</small>${compared(loaded, c.id)}</li>`,
)}</ul><p class="hint">这里是原价，未按差异折算。</p></div>`

function model(loaded: LoadedOrder): Html {
  const { valued, evidence, modelPending } = loaded
  if (evidence) return beforeEstimate(loaded, evidence)
  if (!valued)
    return html`<div class="card"><h2>AI 估价</h2><p>${modelPending ? '模型正在准备，请约 1 分钟后刷新。' : '可比样本不足，模型没有给出价格。'}</p></div>`
  const { price, confidence, comparables, breakdown, risk } = valued
  return html`<div class="card"><h2>AI 估价</h2><p class="price">${yuan(price.predictFen)}</p>
<p>区间 ${yuan(price.lowFen)} – ${yuan(price.highFen)}，可信度${confidenceText[confidence.level]}（${confidence.score}）</p>
${risk.facts.length > 0 && html`<p class="bad">风险：${risk.facts.join('；')}</p>`}
<details><summary>价格构成（${breakdown.length}）</summary><div class="scroll"><table>${breakdown.map(
    (b) => html`<tr><td>${b.label}</td><td class="num">${yuan(b.amountFen)}</td></tr>`,
  )}</table></div></details></div>
<div class="card"><h2>可比账号（${comparables.length}）</h2><ul class="rows">${comparables.map(
    (
      c,
    ) => html`<li class="row"><span><b>${yuan(c.adjFen)}</b> <span class="tag">${(isOutlier(c, price.predictFen) ? outlierText : comparableKindText)[c.kind]} ${yuan(c.priceFen)}</span></span>
<span class="end">相似 ${Math.round(c.similarity * 100)}%</span><small>${c.diff.length > 0 ? `相比：${c.diff.join('；')}` : '主要资料一致'}</small>
<small class="end">${dayOf(c.at)}</small>${compared(loaded, c.id)}</li>`,
  )}</ul><p class="hint">大字为按差异折算到本账号的价格，标签为原价。</p></div>`
}

const versionList = (list: LoadedOrder['versions']): Html | string =>
  list.length === 0
    ? ''
    : html`<h2>已交付的报告</h2>${list.map(
        (o) =>
          html`<div class="card"><b>${yuan(o.predict_fen)}</b> · 第 ${o.version} 版 · ${formatTime(o.created_at)}${
            o.appraiser && html` · ${o.appraiser.name}<dl>${line('说明', o.appraiser.comment)}</dl>`
          }${o.others.map(
            ({ name, priceFen, comment }) =>
              html`<dl>${line(`复核 ${name}`, `${yuan(priceFen ?? o.predict_fen)} ${comment}`)}</dl>`,
          )}</div>`,
      )}`

const words = (mode: 'AI' | 'MANUAL', status: string | null) =>
  status === null ? '' : orderStatusText(mode, status as OrderStatus)

const events = ({ order: { mode }, events: list }: LoadedOrder): Html => html`<h2>经过</h2>
<div class="scroll"><table>${list.map(
  (
    e,
  ) => html`<tr><td class="hint">${formatTime(e.at)}</td><td>${words(mode, e.from_status)} → ${words(mode, e.to_status)}</td>
<td>${e.who}</td><td>${e.note}</td></tr>`,
)}</table></div>`

/** Questions of the owner to the appraiser, with the answers. */
const questions = async ({ questions: all, order }: LoadedOrder, ctx: DeskContext): Promise<Html | string> =>
  all.length === 0
    ? ''
    : html`<h2>用户提问${order.asked_at !== null && html` <span class="tag warn">待回答</span>`}</h2>${await messageList(ctx, all, order, `/desk/orders/${order.id}`)}`

/** What the game's accounts sold for over the last year, as a share of today's price: when to sell, and how fast to fall. */
const market = ({ market: points }: LoadedOrder): Html | string =>
  points
    ? html`<div class="card"><h2>近一年行情</h2><p>${points.map(({ at, level }) => `${dayOf(at).slice(0, 7)} ${level}`).join('，')}</p>
<p class="hint">现在为 100，每点取四周。</p></div>`
    : ''

/** An order page: facts on the left, model's price and actions on the right. @param typed values of a rejected form */
export const orderPage = async (loaded: LoadedOrder, ctx: DeskContext, typed: Fields = {}): Promise<Html> => html`
<p class="hint"><a href="/desk" data-key="u">返回队列</a> <kbd>u</kbd> · <a href="#do">去处理</a></p>
<div class="columns"><div>${await questions(loaded, ctx)}${summary(loaded, ctx.now)}${pictures(loaded)}${facts(loaded)}${versionList(loaded.versions)}${events(loaded)}</div>
<aside id="do">${orderForms(loaded, ctx, typed)}${model(loaded)}${market(loaded)}</aside></div>`

/** Prices and texts of the delivery form, without what the page fills in itself. */
const WRITTEN = /^(?:price|comment|changed)$|-(?:why|how|says|basis|removal)$/

/** Answers a form of an order that is no longer shown: what was written can be copied. */
export function writtenText(typed: Fields): Html | string {
  const texts = Object.keys(typed).flatMap((name) => (WRITTEN.test(name) && typed[name]) || [])
  return texts.length === 0
    ? ''
    : html`<label>您填写的内容（没有保存，可以复制）<textarea readonly rows="12">${texts.join('\n')}</textarea></label>`
}
