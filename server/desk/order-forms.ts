import { yuanInput } from '@/contract/format'
import { type Appraisal, shownKey } from '../domains/orders/appraisals'
import { fullText, MAX_UNFINISHED } from '../domains/orders/workload'
import { newId } from '../domains/shared/secrets'
import { type Html, html } from '../http/html'
import { blindEstimateForm, deliveryForm } from './appraisal-form'
import type { DeskContext, Fields } from './auth'
import { dayOf, yuan } from './format'
import type { LoadedOrder } from './order'
import type { DeskOrderAction } from './order-actions'
import { csrfInput } from './page'

/** The actions available on an order now, one form each. @param typed values of a rejected form */
export function orderForms(loaded: LoadedOrder, ctx: DeskContext, typed: Fields): Html {
  const { order, may } = loaded
  const { csrf } = ctx
  const given = order.level === 'PRO' && order.status === 'ASSIGNED' && appraisalsSection(loaded, ctx)
  const form = (act: DeskOrderAction, body: Html) =>
    html`<form method="post" action="/desk/orders/${order.id}/${act}" class="card">${csrfInput(csrf)}${body}</form>`
  return html`
${
  may.answer &&
  form(
    'answer',
    html`<h2>回答提问 <kbd>i</kbd></h2><input type="hidden" name="id" value="${typed.id ?? newId()}">
<label>回答（用户可见，1-500 字）<textarea name="text" maxlength="500" required data-key="i">${typed.text}</textarea></label>
<button class="go">回答</button>${order.asked_at !== null && html` <button formaction="/desk/orders/${order.id}/noanswer" formnovalidate>无需回答</button>`}`,
  )
}
${may.take && form('take', takeBody(loaded, ctx))}
${may.first && form('first', html`${given}${blindEstimateForm(typed)}`)}
${may.deliver && form('deliver', html`${given}${deliveryForm(loaded, typed, ctx.staff.no)}`)}
${
  may.ask &&
  form(
    'ask',
    html`<h2>要求补充资料 <kbd>i</kbd></h2><label>需要用户补充什么（用户可见，1-200 字）
<textarea name="wanted" maxlength="200" required data-key="i">${typed.wanted}</textarea></label><button>发给用户</button>`,
  )
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
}
${
  may.reopen &&
  form(
    'reopen',
    html`<h2>更正报告</h2><label>为什么（用户可见，4-100 字）
<textarea name="words" minlength="4" maxlength="100" required>${typed.words}</textarea></label><button>重新打开</button>
<p class="hint">原报告保留，用户的免费复估次数不受影响。确认有误要退款的，重新打开后再主动退款。</p>`,
  )
}
${
  may.assign &&
  loaded.others.length > 0 &&
  form(
    'assign',
    html`<h2>改派</h2><label>改由谁估价<select name="to">${loaded.others.map((s) => html`<option value="${s.staff_id}">${s.nick} ${s.no}</option>`)}</select></label>
<button>改派</button>`,
  )
}
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

/** The button, with how much the appraiser holds; without it where no further order can be taken. */
function takeBody({ order, workload }: LoadedOrder, { staff }: DeskContext): Html {
  if (workload >= MAX_UNFINISHED && order.appraiser_id !== staff.staffId)
    return html`<p class="bad">${fullText(workload)}</p>`
  return html`<button class="go" data-key="t">接单</button> <kbd>t</kbd>
<p class="hint">您手上有 ${workload} 单没有完成，最多同时 ${MAX_UNFINISHED} 单。</p>`
}

/** Appraisals of an expert order. An appraiser sees the others' prices only after giving their own. */
function appraisalsSection({ appraisals }: LoadedOrder, { staff }: DeskContext): Html {
  const own = appraisals.find(({ staffId }) => staffId === staff.staffId)
  const others = appraisals.filter(({ staffId }) => staffId !== staff.staffId)
  const [other] = others
  const price = (name: string, { priceFen, comment }: Appraisal) =>
    html`<dt>${name}</dt><dd>${yuan(priceFen)}${comment && `：${comment}`}</dd>`
  if (!own && others.length > 1)
    return html`<p class="hint">专家服务：两位同事的估价相差超过 20%。请独立给出您的估价，三者居中的为定价；提交前看不到他们的价格。</p>`
  if (!own && !other)
    return html`<p class="hint">专家服务：两位估价师分别估价。您交付后由另一位独立估价，取两者均价；分歧较大时复核定价。</p>`
  if (!own) return html`<p class="hint">专家服务：一位同事已估价，请独立给出您的估价，提交后可见对方的。</p>`
  if (!other) return html`<dl>${price('您的估价', own)}</dl><p class="hint">等待另一位估价师；此前可以修改。</p>`
  return html`<dl>${price('您的估价', own)}${price(other.name, other)}</dl><input type="hidden" name="seen" value="${shownKey(other)}">
<p class="hint">两者相差超过 20%：请与 ${other.name} 核对，由其中一位在两者之间定价（与对方相差不超过 20%）并写明理由，或由第三位估价师复核。</p>`
}
