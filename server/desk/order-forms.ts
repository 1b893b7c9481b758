import { yuanInput } from '@/contract/format'
import type { Appraisal } from '../domains/reports/appraised-price'
import { newId } from '../domains/shared/secrets'
import { type Html, html } from '../http/html'
import { blindEstimateForm, deliveryForm } from './appraisal-form'
import type { DeskContext, Fields } from './auth'
import { dayOf, yuan } from './format'
import type { LoadedOrder } from './order'
import type { DeskOrderAction } from './order-actions'
import { csrfInput } from './page'

type Form = (act: DeskOrderAction, body: Html, more?: Html) => Html

const formOf =
  ({ order }: LoadedOrder, { csrf }: DeskContext): Form =>
  (act, body, more) =>
    html`<form method="post" action="/desk/orders/${order.id}/${act}" class="card"${more}>${csrfInput(csrf)}${body}</form>`

/**
 * What is to be done with the order now, one form each.
 * @param typed values of a rejected form
 * @param asked questions of the owner
 */
export function orderForms(loaded: LoadedOrder, ctx: DeskContext, typed: Fields, asked: Html | string): Html {
  const { order, may } = loaded
  const form = formOf(loaded, ctx)
  const given = order.level === 'PRO' && order.status === 'ASSIGNED' && appraisalsSection(loaded, ctx)
  return html`
${may.take && form('take', html`<button class="go" data-key="t">接单</button> <kbd>t</kbd>`)}
${given}
${may.first && form('first', blindEstimateForm(typed))}
${may.deliver && form('deliver', deliveryForm(loaded, typed), html` id="deliver"`)}
${asked}${
  may.answer &&
  form(
    'answer',
    html`<h2>回答提问 <kbd>i</kbd></h2><input type="hidden" name="id" value="${typed.id ?? newId()}">
<label>回答（用户可见，1-500 字）<textarea name="text" maxlength="500" required data-key="i">${typed.text}</textarea></label>
<button class="go">回答</button>${order.asked_at !== null && html` <button formaction="/desk/orders/${order.id}/noanswer" formnovalidate>无需回答</button>`}`,
  )
}
${
  may.ask &&
  html`<details${typed.wanted !== undefined && html` open`}><summary data-key="i">请用户补资料 <kbd>i</kbd></summary>${form(
    'ask',
    html`<label>需要补充什么（用户可见，1-200 字）<textarea name="wanted" maxlength="200" required>${typed.wanted}</textarea></label><button>发给用户</button>`,
  )}</details>`
}
${
  may.refund &&
  html`${form(
    'grant',
    html`<h2>退款审核</h2><p>原因：${order.cancel_reason}</p><p>同意后 ${yuan(order.pay_fen)} 原路退回，不能撤销。</p>
<button class="go" data-key="g" data-only-focus>同意退款</button> <kbd>g</kbd>`,
  )}${form(
    'refuse',
    html`<label>拒绝的理由（用户可见，4-200 字）<kbd>n</kbd>
<textarea name="answer" minlength="4" maxlength="200" required data-key="n">${typed.answer}</textarea></label><button>拒绝退款</button>`,
  )}`
}`
}

/** What an order allows besides. @param typed values of a rejected form */
export function rareForms(loaded: LoadedOrder, ctx: DeskContext, typed: Fields): Html {
  const { order, may } = loaded
  const form = formOf(loaded, ctx)
  return html`
${
  may.sold &&
  form(
    'sold',
    html`<h2>登记成交价</h2><label>实际卖出的价格（元）
<input name="soldPrice" inputmode="decimal" autocomplete="off" value="${typed.soldPrice ?? yuanInput(order.sold_fen)}"></label>
<label>成交日期（不填为今天）<input name="soldDay" autocomplete="off" placeholder="${dayOf(ctx.now)}" value="${typed.soldDay ?? (order.sold_at === null ? '' : dayOf(order.sold_at))}"></label>
<button>保存</button><p class="hint">用户没有填写成交价时，用户的评价里显示这个价格。两项都清空为撤销登记。</p>`,
  )
}
${
  may.giveBack &&
  form(
    'back',
    html`<h2>主动退款</h2><label>理由（用户可见，4-100 字）
<textarea name="words" minlength="4" maxlength="100" required>${typed.words}</textarea></label>
<p class="hint">${yuan(order.pay_fen)} 立即原路退回，不能撤销。</p><button>退款</button>`,
  )
}`
}

/** How far an expert order is. An appraiser sees the others' prices only after giving their own. */
function appraisalsSection({ appraisals }: LoadedOrder, { staff }: DeskContext): Html {
  const own = appraisals.find(({ staffId }) => staffId === staff.staffId)
  const others = appraisals.filter(({ staffId }) => staffId !== staff.staffId)
  if (!own)
    return html`<p class="hint">${others.length > 1 ? '专家：两位相差超过 20%，请独立估价，取三者居中的；交付前看不到他们的价格。' : '专家：两位各自估价，互不看价，取均价。'}</p>`
  const price = ({ name, priceFen }: Appraisal) => html`<dt>${name}</dt><dd>${yuan(priceFen)}</dd>`
  return html`<div class="card"><dl>${[own, ...others].map(price)}</dl>
<p class="hint">${others.length > 0 ? '两位相差超过 20%，等待第三位估价师。' : '等待另一位估价师；此前可以修改。'}</p></div>`
}
