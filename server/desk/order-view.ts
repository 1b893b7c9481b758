import { isEmpty, labelOf, visibleFields } from '@/contract/form/answers'
import { comparableKindText, confidenceText, manualLevelText, modeText } from '@/contract/labels'
import { type Html, html } from '../http/html'
import { comparableList, differences, lineList } from './appraisal-form'
import type { DeskContext, Fields } from './auth'
import { messageList } from './chat'
import { dayOf, formatRemaining, formatTime, yuan } from './format'
import type { LoadedOrder } from './order'
import { orderForms, rareForms } from './order-forms'
import { statusTag } from './queue'

/** Statuses in which pictures can still be asked for. */
const AWAITING_REPORT = ['PAID', 'ASSIGNED', 'WAIT_INFO', 'REVALUING']

const line = (name: string, value: Html | string | false | null | undefined) =>
  value ? html`<dt>${name}</dt><dd>${value}</dd>` : ''

/** One line: what it is, and until when. */
function head({ order, config }: LoadedOrder, now: number): Html {
  const { mode, status, level, due_at, info_due_at, refund_due_at } = order
  const until = status === 'REFUNDING' ? refund_due_at : status === 'WAIT_INFO' ? info_due_at : due_at
  const running = ['PAID', 'ASSIGNED', 'REVALUING', 'REFUNDING', 'WAIT_INFO'].includes(status)
  return html`<p class="bench-head"><a href="/desk" data-key="u">返回队列</a> <kbd>u</kbd> <b>${order.title || config.name}</b> ${statusTag(order)}
<span class="hint">${modeText[mode]}${level && ` · ${manualLevelText[level]}`} · ${order.order_no} · ${order.nickname} · 实付 ${yuan(order.pay_fen)}</span>
${running && until !== null && html`<span class="end${until <= now && ' late'}">${formatRemaining(until, now)}</span>`}</p>`
}

/** What user and staff have said about the order. */
function remarks({ order }: LoadedOrder, now: number): Html | string {
  const lines = [
    line('复估原因', order.revaluation_request),
    line('用户备注', order.remark),
    line('待补充', order.info_wanted),
    line('退款原因', order.status === 'REFUNDING' && order.cancel_reason),
    line('拒绝退款', order.refund_answer),
    line('成交价', order.sold_fen !== null && `${yuan(order.sold_fen)}（${dayOf(order.sold_at ?? now)}）`),
  ].filter((item) => item !== '')
  return lines.length > 0 ? html`<dl>${lines}</dl>` : ''
}

/** Longer ones take the whole width. */
const SHORT = 10

const fact = (label: string, value: string, isBad = false): Html =>
  html`<div${label.length + value.length > SHORT && html` class="whole"`}><span>${label}</span><b${isBad && html` class="bad"`}>${value}</b></div>`

/** The account's answers in the form's labels; unanswered ones take one line. */
function facts({ order, config }: LoadedOrder): Html {
  const fields = visibleFields(config, order.answers).filter(({ type }) => type !== 'image')
  const unanswered = fields.filter((f) => isEmpty(order.answers[f.key]))
  return html`<h2>资料</h2><div class="facts">${fields
    .filter((f) => !unanswered.includes(f))
    .map((f) => fact(f.label, labelOf(config, f, order.answers[f.key])))}</div>
${unanswered.length > 0 && html`<p class="hint">未填：${unanswered.map(({ label }) => label).join('、')}</p>`}`
}

/** One picture large, the others below it; without a script the small ones lead to the files. */
const pictures = ({ pictures: urls, order: { mode, status } }: LoadedOrder): Html | string | false =>
  urls.length === 0
    ? mode === 'MANUAL' &&
      html`<h2>截图</h2><p class="bad">用户没有传截图，资料没有核对过。${AWAITING_REPORT.includes(status) && '可以请用户补；不补就交付的，报告里会写明。'}</p>`
    : html`<h2>截图 <small>${urls.length} 张 · ← → 切换 · <kbd>z</kbd> 原大</small></h2>
<button type="button" class="picture" data-picture aria-label="原大或还原"><img src="${urls[0]}" alt="截图 1"></button>
${urls.length > 1 && html`<div class="thumbs">${urls.map((url, i) => html`<a href="${url}" data-thumb><img src="${url}" alt="截图 ${i + 1}" loading="lazy"></a>`)}</div>`}`

/** What was recognised on the pictures, compared with the answers. */
const recognised = ({ read, config, order: { answers } }: LoadedOrder): Html | false =>
  read.length > 0 &&
  html`<h2>图上认出 <small>✓ 与资料一致，≠ 不一致</small></h2><div class="facts">${read.map(
    ({ field, answer, picture, agrees }) => {
      const value = labelOf(config, field, answer)
      const compared = agrees ? `${value} ✓` : `${value} ≠ ${labelOf(config, field, answers[field.key])}`
      return fact(`${field.label} · 图 ${picture}`, compared, !agrees)
    },
  )}</div>`

/** Lines and sales without the model's amounts, until the own blind estimate is committed. */
const beforeEstimate = ({
  lines,
  comparables,
  facts: risks,
}: NonNullable<LoadedOrder['evidence']>): Html => html`<h2>AI 看了哪些 <small>金额在首次估价后显示</small></h2>
${risks.length > 0 && html`<p class="bad">风险：${risks.join('；')}</p>`}
<p>${lines.join(' · ')}</p>
<h2>可比账号 <small>原价，没有折算</small></h2>${comparables.map(
  ({ priceFen, diff, kind, at }) =>
    html`<div class="like"><b>${yuan(priceFen)}</b><span>${differences(diff)}<small>${comparableKindText[kind]} · ${dayOf(at)}</small></span></div>`,
)}`

/** The model's price with its lines and comparables; an appraiser corrects them in place. */
function model(loaded: LoadedOrder, typed: Fields): Html {
  const { valued, evidence, modelPending, may } = loaded
  if (evidence) return beforeEstimate(evidence)
  if (!valued)
    return html`<h2>AI 估价</h2><p>${modelPending ? '模型正在准备，请约 1 分钟后刷新。' : '可比样本不足，模型没有给出价格。'}</p>`
  const { price, confidence, risk } = valued
  const risks = risk.facts.length > 0 && html`<p class="bad">风险：${risk.facts.join('；')}</p>`
  if (may.deliver) return html`${lineList(loaded, typed)}${risks}${comparableList(loaded, typed)}`
  return html`<h2>AI 估价</h2><p class="price">${yuan(price.predictFen)}</p>
<p>区间 ${yuan(price.lowFen)} – ${yuan(price.highFen)}，可信度${confidenceText[confidence.level]}</p>${risks}`
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
              html`<dl>${line(name, `${yuan(priceFen ?? o.predict_fen)} ${comment}`)}</dl>`,
          )}</div>`,
      )}`

/** Questions of the owner to the appraiser, with the answers. */
const questions = async ({ questions: all, order }: LoadedOrder, ctx: DeskContext): Promise<Html | string> =>
  all.length === 0
    ? ''
    : html`<h2>用户提问${order.asked_at !== null && html` <span class="tag warn">待回答</span>`}</h2>${await messageList(ctx, all, order, `/desk/orders/${order.id}`)}`

/** An order on one screen: pictures and facts, the model's lines, what is to be done and was. @param typed values of a rejected form */
export const orderPage = async (loaded: LoadedOrder, ctx: DeskContext, typed: Fields = {}): Promise<Html> => html`
${head(loaded, ctx.now)}
<div class="bench"><section aria-label="账号">${remarks(loaded, ctx.now)}${pictures(loaded)}${recognised(loaded)}${facts(loaded)}</section>
<section aria-label="AI">${model(loaded, typed)}</section>
<section aria-label="处理">${orderForms(loaded, ctx, typed, await questions(loaded, ctx))}${versionList(loaded.versions)}
${rareForms(loaded, ctx, typed)}</section></div>`

/** Answers a form of an order that is no longer shown: what was written can be copied. */
export function writtenText(typed: Fields): Html | string {
  const texts = ['price', 'comment', 'text', 'wanted'].flatMap((name) => typed[name] || [])
  return texts.length === 0
    ? ''
    : html`<label>您填写的内容（没有保存，可以复制）<textarea readonly rows="12">${texts.join('\n')}</textarea></label>`
}
