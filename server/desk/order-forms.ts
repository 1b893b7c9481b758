import type { Fields, Visit } from './door'
import { type Html, html } from './html'
import type { LoadedOrder } from './order'
import type { OrderAct } from './order-actions'
import { proof } from './page'
import { yuan } from './words'

/** What is to be done with an order now, each a form of its own. @param typed what was typed into a refused one */
export function orderForms({ order, may, valued }: LoadedOrder, { csrf }: Visit, typed: Fields): Html {
  const form = (act: OrderAct, body: Html) =>
    html`<form method="post" action="/desk/orders/${order.id}/${act}" class="card">${proof(csrf)}${body}</form>`
  const around = valued && `AI 估价 ${yuan(valued.price.predictFen)}；相差超过 20% 须在说明中写明原因（至少 4 字）`
  return html`
${may.take && form('take', html`<button class="go" data-key="t">接单</button> <kbd>t</kbd>`)}
${
  may.deliver &&
  form(
    'deliver',
    html`<h2>${order.status === 'REVALUING' ? '交付复估报告' : '交付报告'} <kbd>p</kbd></h2>
<label>价格（元）<input name="price" inputmode="decimal" autocomplete="off" value="${typed.price}" required data-key="p"></label>
<label>估价说明（用户可见，最多 500 字）<textarea name="comment" maxlength="500">${typed.comment}</textarea></label>
${around && html`<p class="hint">${around}</p>`}${
  order.level === 'PRO' && html`<p class="hint">专家服务：请与另一位估价师核对后交付，并在说明中写明。</p>`
}<button class="go">交付</button>`,
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
}`
}
