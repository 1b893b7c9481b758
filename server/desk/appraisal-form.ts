import { serviceTerms } from '@/contract/appraisal'
import {
  bindingEvidenceText,
  bindingItemText,
  comparableKindText,
  comparableVerdictText,
  keysOf,
  noteVerdictText,
  outlierText,
} from '@/contract/labels'
import { isOutlier } from '@/contract/priceRange'
import { bindingFactsText, isBindingKnown } from '../domains/orders/binding-facts'
import { PUBLIC_AMOUNT_PLACEHOLDERS } from '../domains/reports/amount-placeholders'
import { type Html, html, options } from '../http/html'
import { CHANNELS, checklistOf, formLines, MAX_BUYER_ARGUMENTS, PLAN_STEPS } from './appraisal-fields'
import type { Fields } from './auth'
import { deliveredFields } from './delivered-fields'
import { confirmationOf, warningsOfForm } from './delivery-warnings'
import { dayOf, formatTime, parseYuanInput, yuan } from './format'
import type { LoadedOrder } from './order'

/** Openings of a comment, inserted at the cursor. */
const templates = [
  '主要价值来自：\n',
  '与 AI 估价的差异在于：\n',
  '可比成交里最接近的是：\n',
  'AI 看不到的是：\n',
  '卖之前先做：\n',
  '影响出手速度的是：\n',
  '资料里没有体现、已从截图核对计入的是：\n',
] as const

const amount = (name: string, words: string, value: string | undefined, key = '') =>
  html`<label>${words}<input name="${name}" inputmode="decimal" autocomplete="off" value="${value}" required${key && html` data-key="${key}"`}></label>`

/** After a rejection: confirms this very amount. */
const confirmation = (first: string): Html | string => {
  const fen = parseYuanInput(first)
  return fen === undefined
    ? ''
    : html`<label class="check"><input type="checkbox" name="sure" value="${first}">${yuan(fen)} 无误</label>`
}

/** The own blind estimate, asked before the model's price is shown. */
export const blindEstimateForm = (typed: Fields): Html => html`<h2>先写下您的首次估价 <kbd>p</kbd></h2>
<p class="hint">提交后才显示 AI 的价格和金额，避免先入为主。首次估价和最终价格都会保存，首次估价不能再改。</p>
<label>首次估价（元）<input name="first" inputmode="decimal" autocomplete="off" value="${typed.first}" required data-key="p"></label>
${typed.first !== undefined && confirmation(typed.first)}<button class="go">提交首次估价</button>`

function notes({ valued, order }: LoadedOrder, typed: Fields): Html {
  const { notes: least } = serviceTerms[order.level ?? 'STD']
  const lines = formLines(valued)
  return html`<fieldset><legend>明细逐条表态（至少 ${Math.min(least, lines.length)} 项，每项都写理由，不同意还要写您算多少）</legend>
${lines.map(({ label, amountFen }, i) => {
  const name = typed[`note-${i}-label`] ?? label
  return html`<div class="note-row note-row--own"><span>${
    valued
      ? html`<b>${label}</b> ${amountFen !== undefined && yuan(amountFen)}<input type="hidden" name="note-${i}-label" value="${label}">`
      : html`<input name="note-${i}-label" value="${name}" maxlength="30" placeholder="例如 限定皮肤" aria-label="第 ${i + 1} 项名称">`
  }</span>
<select name="note-${i}-verdict" aria-label="${label || `第 ${i + 1} 项`} 的意见">${options({ '': '未表态', ...noteVerdictText }, typed[`note-${i}-verdict`] ?? '')}</select>
<input name="note-${i}-own" value="${typed[`note-${i}-own`]}" inputmode="text" autocomplete="off" placeholder="我算（元）" aria-label="${label || `第 ${i + 1} 项`} 我算多少">
<input name="note-${i}-why" value="${typed[`note-${i}-why`]}" maxlength="200" placeholder="理由" aria-label="${label || `第 ${i + 1} 项`} 的理由"></div>`
})}</fieldset>`
}

function comparables({ valued, order, duties }: LoadedOrder, typed: Fields): Html | string {
  const all = valued?.comparables ?? []
  if (all.length === 0) return ''
  const { comparables: promised, ownComparables } = serviceTerms[order.level ?? 'STD']
  const least = Math.min(promised, all.length)
  const adopted = new Set(duties?.adopted)
  const own = Math.min(ownComparables, all.filter(({ id }) => !adopted.has(id)).length)
  const before = new Map(
    Object.keys(typed).flatMap((name) => {
      const [, i] = /^like-(\d{1,2})-id$/.exec(name) ?? []
      return i === undefined ? [] : [[typed[name] ?? '', i] as const]
    }),
  )
  return html`<fieldset><legend>可比账号取舍（至少 ${least} 个，每个都写理由）</legend>
${duties?.adopted && own > 0 && html`<p class="hint">请采用至少 ${own} 个另一位没有采用的（价格相差一倍以上的除外）。</p>`}
${all.map((c, i) => {
  const was = before.get(c.id)
  return html`<div class="note-row"><span><b>${yuan(c.adjFen)}</b> ${(valued && isOutlier(c, valued.price.predictFen) ? outlierText : comparableKindText)[c.kind]} ${yuan(c.priceFen)} · ${dayOf(c.at)}${adopted.has(c.id) && ' · 另一位已采用'}
<input type="hidden" name="like-${i}-id" value="${c.id}"></span>
<select name="like-${i}-verdict" aria-label="可比账号 ${i + 1}">${options({ '': '未取舍', ...comparableVerdictText }, typed[`like-${was}-verdict`] ?? '')}</select>
<input name="like-${i}-why" value="${typed[`like-${was}-why`]}" maxlength="200" placeholder="理由" aria-label="可比账号 ${i + 1} 的理由"></div>`
})}</fieldset>`
}

const advice = ({ order }: LoadedOrder, typed: Fields): Html => html`<fieldset>
<legend>怎么卖、在哪卖（至少 ${serviceTerms[order.level ?? 'STD'].channels} 个渠道）</legend>
<p class="hint">先写卖家到手最多、用得上的渠道。金额写成 ${PUBLIC_AMOUNT_PLACEHOLDERS.join('、')}，报告里换成最终的金额${serviceTerms[order.level ?? 'STD'].people > 1 && '（由两位的估价得出）'}。</p>
${Array.from(
  { length: CHANNELS },
  (
    _,
    i,
  ) => html`<div class="advice-row advice-row--fee"><input name="advice-${i}-channel" value="${typed[`advice-${i}-channel`]}" maxlength="30" placeholder="渠道，例如 寄售平台" aria-label="渠道 ${i + 1}">
<input name="advice-${i}-fee" value="${typed[`advice-${i}-fee`]}" inputmode="decimal" autocomplete="off" placeholder="手续费 %" aria-label="渠道 ${i + 1} 的手续费（%，没有填 0）">
<input name="advice-${i}-how" value="${typed[`advice-${i}-how`]}" maxlength="200" placeholder="怎么挂、什么时候降价（10-200 字）" aria-label="渠道 ${i + 1} 的做法"></div>`,
)}</fieldset>`

/** The selling plan and the answers to buyers, where the service promises them. */
function bargaining({ order }: LoadedOrder, typed: Fields): Html | string {
  const { planSteps, bargains } = serviceTerms[order.level ?? 'STD']
  if (planSteps === 0) return ''
  return html`<fieldset><legend>降价计划（至少 ${planSteps} 步，从建议挂牌价起递减，不低于底价）</legend>
${Array.from(
  { length: PLAN_STEPS },
  (
    _,
    i,
  ) => html`<div class="advice-row"><input name="plan-${i}-day" inputmode="numeric" autocomplete="off" value="${typed[`plan-${i}-day`]}" maxlength="2" placeholder="第几天" aria-label="第 ${i + 1} 步：第几天">
<input name="plan-${i}-price" inputmode="decimal" autocomplete="off" value="${typed[`plan-${i}-price`]}" placeholder="挂多少（元）" aria-label="第 ${i + 1} 步：价格（元）"></div>`,
)}</fieldset>
<fieldset><legend>买家压价怎么回（至少 ${bargains} 种）</legend>
${Array.from(
  { length: MAX_BUYER_ARGUMENTS },
  (
    _,
    i,
  ) => html`<div class="advice-row"><input name="bargain-${i}-says" value="${typed[`bargain-${i}-says`]}" maxlength="20" placeholder="例如 有防沉迷" aria-label="买家的理由 ${i + 1}">
<input name="bargain-${i}-how" value="${typed[`bargain-${i}-how`]}" maxlength="200" placeholder="怎么回、可以让多少（10-200 字）" aria-label="买家的理由 ${i + 1} 怎么回"></div>`,
)}</fieldset>`
}

/** Binding and recovery, for the one of two appraisers whose duty it is. */
const binding = ({ duties, config, order }: LoadedOrder, typed: Fields): Html | string =>
  duties?.binding
    ? html`<fieldset><legend>绑定与找回风险（每项都写，由您负责；影响要计入您的估价）</legend>
${keysOf(bindingItemText).map((item) => {
  const name = bindingItemText[item]
  const box = (field: string, hint: string, words: string, amount = false) =>
    html`<input name="bind-${item}-${field}" value="${typed[`bind-${item}-${field}`]}" ${amount ? html`inputmode="decimal" autocomplete="off"` : html`maxlength="200"`} placeholder="${hint}" aria-label="${name}${words}">`
  const facts = bindingFactsText(config, order.answers, item)
  const seen = html`<label class="check"><input type="checkbox" name="bind-${item}-seen"${typed[`bind-${item}-seen`] === 'on' && html` checked`}>已从截图或补充资料核实（不勾选又没有影响的，报告写${bindingEvidenceText.NONE}）</label>`
  return html`<div class="bind-row"><b>${name}</b><span class="hint">${facts || '表单没有问'}</span>
${box('cost', '影响（元，不影响填 0）', '影响多少钱', true)}${box('basis', '依据（4-200 字）', '的依据')}
${box('gain', '解除后多卖（元）', '解除后多卖多少', true)}${box('removal', '怎么先解除，改不了的怎么处理（有影响时必填）', '怎么先解除')}
${!isBindingKnown(config, order.answers, item) && seen}</div>`
})}</fieldset>`
    : ''

const checklist = ({ config, order }: LoadedOrder, typed: Fields): Html => html`<fieldset><legend>核对清单</legend>
${checklistOf(config, order).map(
  (words, i) =>
    html`<label class="check"><input type="checkbox" name="check-${i}"${typed[`check-${i}`] === 'on' && html` checked`}>${words}</label>`,
)}</fieldset>`

/**
 * The whole delivery form.
 * @param rejected values of a rejected form; otherwise the saved draft is shown, and for a new version the one before
 * @param no number of the appraiser
 */
export function deliveryForm(loaded: LoadedOrder, rejected: Fields, no: string): Html {
  const { order, valued, estimate } = loaded
  const before = deliveredFields(loaded, no)
  const typed = [rejected, estimate.draft].find((fields) => Object.keys(fields).length > 0) ?? before
  const warnings = typed === rejected ? warningsOfForm(rejected, loaded, no) : []
  const gap = valued && `AI 估价 ${yuan(valued.price.predictFen)}；相差超过 20% 须在说明中写明原因`
  return html`<h2>${order.status === 'REVALUING' ? '交付复估报告' : '交付报告'} <kbd>p</kbd></h2>
${typed === before && typed.price !== undefined && html`<p class="hint">已填入上一版的内容，请修改后交付；核对清单需要重新勾选。</p>`}
<p class="hint">您的首次估价 ${yuan(estimate.firstFen ?? 0)}。${gap}</p>
${amount('price', '参考成交价（元）', typed.price, 'p')}
<div class="four">${amount('low', '区间最低', typed.low)}${amount('quick', '快速出手价', typed.quick)}
${amount('list', '建议挂牌价', typed.list)}${amount('high', '区间最高', typed.high)}</div>
${amount('plan-floor', '底价（元，低于它先不卖；在区间最低和快速出手价之间）', typed['plan-floor'])}
${notes(loaded, typed)}${comparables(loaded, typed)}${binding(loaded, typed)}${advice(loaded, typed)}${bargaining(loaded, typed)}
${
  order.status === 'REVALUING' &&
  html`<label>这一版改了什么、为什么（用户可见，10-300 字）<textarea name="changed" maxlength="300" required>${typed.changed}</textarea></label>`
}<label>估价说明（用户可见，10-500 字）<textarea name="comment" maxlength="500" required>${typed.comment}</textarea></label>
<p class="templates">${templates.map((words) => html`<button type="button" class="link" data-insert="${words}">${words.trim()}</button> `)}</p>
${checklist(loaded, typed)}
<label class="check"><input type="checkbox" name="spelling"${typed.spelling === 'on' && html` checked`}>名称无误（拼写检查提示过才需要）</label>
${warnings.length > 0 && html`<label class="check"><input type="checkbox" name="sure" value="${confirmationOf(warnings)}"><span>已核对，照此交付：${warnings.map((one) => html`<br>${one}`)}</span></label>`}
<button class="go">交付</button> <button formaction="/desk/orders/${order.id}/draft" formnovalidate data-draft>保存草稿</button>
<span class="hint" data-draft-state>${estimate.draftAt !== null && `草稿保存于 ${formatTime(estimate.draftAt)}`}</span>`
}
