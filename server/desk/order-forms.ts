import type { Opinion } from '../domains/orders/opinions'
import { type Html, html } from '../http/html'
import type { DeskContext, Fields } from './auth'
import type { LoadedOrder } from './order'
import type { OrderAct } from './order-actions'
import { proof } from './page'
import { dayOf, yuan } from './words'

/** The actions available on an order now, one form each. @param typed values of a rejected form */
export function orderForms(loaded: LoadedOrder, visit: DeskContext, typed: Fields): Html {
  const { order, may, valued } = loaded
  const { csrf } = visit
  const form = (act: OrderAct, body: Html) =>
    html`<form method="post" action="/desk/orders/${order.id}/${act}" class="card">${proof(csrf)}${body}</form>`
  const around = valued && `AI 估价 ${yuan(valued.price.predictFen)}；相差超过 20% 须在说明中写明原因（至少 4 字）`
  return html`
${may.take && form('take', html`<button class="go" data-key="t">接单</button> <kbd>t</kbd>`)}
${
  may.deliver &&
  form(
    'deliver',
    html`<h2>${order.status === 'REVALUING' ? '交付复估报告' : '交付报告'} <kbd>p</kbd></h2>${order.level === 'PRO' && order.status === 'ASSIGNED' && spoken(loaded, visit)}
<label>价格（元）<input name="price" inputmode="decimal" autocomplete="off" value="${typed.price}" required data-key="p"></label>
${
  (order.level !== 'PRO' || order.status !== 'ASSIGNED') &&
  html`<label>预计成交最低价（元，可不填）<input name="low" inputmode="decimal" autocomplete="off" value="${typed.low}"></label>
<label>预计成交最高价（元，可不填）<input name="high" inputmode="decimal" autocomplete="off" value="${typed.high}"></label>`
}
<label>估价说明（用户可见，最多 500 字）<textarea name="comment" maxlength="500">${typed.comment}</textarea></label>
${around && html`<p class="hint">${around}</p>`}<button class="go">交付</button>`,
  )
}
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
<p class="hint">原报告保留，用户的免费复估次数不受影响。</p>`,
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
<input name="soldPrice" inputmode="decimal" autocomplete="off" value="${typed.soldPrice ?? (order.sold_fen === null ? '' : (order.sold_fen / 100).toFixed(2))}"></label>
<label>成交日期（不填为今天）<input name="soldDay" autocomplete="off" placeholder="${dayOf(visit.now)}" value="${typed.soldDay ?? (order.sold_at === null ? '' : dayOf(order.sold_at))}"></label>
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

/** Opinions on an expert order. An appraiser sees the other's price only after giving their own. */
function spoken({ said }: LoadedOrder, { staff }: DeskContext): Html {
  const own = said.find(({ staffId }) => staffId === staff.staffId)
  const other = said.find(({ staffId }) => staffId !== staff.staffId)
  const price = (name: string, { priceFen, comment }: Opinion) =>
    html`<dt>${name}</dt><dd>${yuan(priceFen)}${comment && `：${comment}`}</dd>`
  if (!own && !other)
    return html`<p class="hint">专家服务：两位估价师分别估价。您交付后由另一位独立估价，取两者均价；分歧较大时复核定价。</p>`
  if (!own) return html`<p class="hint">专家服务：一位同事已估价，请独立给出您的估价，提交后可见对方的。</p>`
  if (!other) return html`<dl>${price('您的估价', own)}</dl><p class="hint">等待另一位估价师；此前可以修改。</p>`
  return html`<dl>${price('您的估价', own)}${price(other.name, other)}</dl>
<p class="hint">两者相差超过 20%：请与 ${other.name} 核对，由其中一位在两者之间定价并写明理由。</p>`
}
