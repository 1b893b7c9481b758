import { APPRAISAL_COMMENT } from '@/contract/appraisal'
import { comparableKindText, keysOf, strikeReasonText } from '@/contract/labels'
import { type Html, html } from '../http/html'
import { checksOf, linesByWeight } from './appraisal-fields'
import type { Fields } from './auth'
import { dayOf, formatTime, parseYuanInput, yuan } from './format'
import type { LoadedOrder } from './order'

/** Lines shown without a click. */
const LINES = 6

/** The own blind estimate, asked before the model's price is shown. */
export const blindEstimateForm = (typed: Fields): Html => html`<h2>首次估价 <kbd>p</kbd></h2>
<p class="hint">提交后才显示 AI 的价格；首次估价不能再改。</p>
<label>首次估价（元）<input name="first" inputmode="decimal" autocomplete="off" value="${typed.first}" required data-key="p"></label>
<button class="go">提交首次估价</button>`

/** Values of the form: those of a rejected one, else the draft, which after a delivery is the delivered form. */
const typedIn = ({ estimate: { draft } }: LoadedOrder, rejected: Fields): Fields =>
  Object.keys(rejected).length > 0 ? rejected : draft

/** The model's lines: all stand as agreed unless another amount is typed. The inputs belong to the delivery form. */
export function lineList(loaded: LoadedOrder, rejected: Fields): Html | string {
  const typed = typedIn(loaded, rejected)
  const rows = linesByWeight(loaded.valued).map(
    ({ label, amountFen }) => html`<div class="line"><span>${label}</span><b>${yuan(amountFen)}</b>
<input form="deliver" name="own-${label}" value="${typed[`own-${label}`]}" autocomplete="off" placeholder="同意" aria-label="${label} 改成（元）">
<input form="deliver" name="why-${label}" value="${typed[`why-${label}`]}" maxlength="60" placeholder="为什么" aria-label="${label} 为什么"></div>`,
  )
  if (rows.length === 0) return ''
  const more = rows.slice(LINES)
  return html`<h2>AI 明细 <small>全部同意，改错的</small></h2>${rows.slice(0, LINES)}
${more.length > 0 && html`<details><summary>其余 ${more.length} 项</summary>${more}</details>`}`
}

/** How a comparable differs from the account. */
export const differences = (diff: readonly string[]): string => (diff.length > 0 ? diff.join(' · ') : '主要资料一致')

/** The comparable sales: all stand unless struck with one of five reasons. */
export function comparableList(loaded: LoadedOrder, rejected: Fields): Html | string {
  const { valued } = loaded
  const typed = typedIn(loaded, rejected)
  if (!valued || valued.comparables.length === 0) return ''
  return html`<h2>可比成交 <small>不像的划掉 · 大字已折算到这个账号</small></h2>
${valued.comparables.map(({ id, adjFen, priceFen, kind, at, diff }) => {
  const chip = (value: string, words: string) =>
    html`<label><input type="radio" form="deliver" name="strike-${id}" value="${value}"${value === (typed[`strike-${id}`] ?? '') && html` checked`}>${words}</label>`
  return html`<div class="like"><b>${yuan(adjFen)}</b><span>${differences(diff)}<small>${comparableKindText[kind]} ${yuan(priceFen)} · ${dayOf(at)}</small></span>
<details class="strike"><summary aria-label="划掉 ${yuan(adjFen)}">划掉</summary><div class="chips" role="radiogroup" aria-label="为什么划掉">
${chip('', '保留')}${keysOf(strikeReasonText).map((key) => chip(key, strikeReasonText[key]))}</div></details></div>`
})}`
}

/** Price, range, comment and what was compared with the pictures. @param rejected values of a rejected form */
export function deliveryForm(loaded: LoadedOrder, rejected: Fields): Html {
  const { order, config, valued, estimate, pictures } = loaded
  const typed = typedIn(loaded, rejected)
  const checks = checksOf(config, order, pictures.length)
  const amount = (name: string, words: Html | string, more: Html | string = '') =>
    html`<label>${words}<input name="${name}" inputmode="decimal" autocomplete="off" value="${typed[name]}"${more}></label>`
  const automatic = (name: 'quick' | 'list') =>
    html` placeholder="自动"${valued && html` data-share="${(valued.price[`${name}Fen`] / valued.price.predictFen).toFixed(4)}"`}`
  const { min, max } = APPRAISAL_COMMENT
  return html`<h2>${order.status === 'REVALUING' ? '复估' : '交付'} <small>首估 ${yuan(estimate.firstFen ?? 0)}${valued && ` · AI ${yuan(valued.price.predictFen)}`}</small></h2>
${amount('price', html`参考成交价（元） <kbd>p</kbd>`, html` required data-key="p" class="main"`)}
<div class="two">${amount('low', '区间从', html` required`)}${amount('high', '到', html` required`)}
${amount('quick', '快速出手', automatic('quick'))}${amount('list', '建议挂牌', automatic('list'))}</div>
<label>${order.status === 'REVALUING' ? '改了什么、为什么、怎么卖' : '为什么、怎么卖'}（用户可见，${min}–${max} 字）
<textarea name="comment" maxlength="${max}" required placeholder="价格从哪里来；卖之前先做什么；在哪卖">${typed.comment}</textarea></label>
${checks.length > 0 && html`<fieldset><legend>对照截图核对过</legend>${checks.map((label) => html`<label class="check"><input type="checkbox" name="check-${label}"${typed[`check-${label}`] === 'on' && html` checked`}>${label}</label>`)}</fieldset>`}
${rejected.price !== undefined && isFarFrom(estimate.firstFen, rejected.price) && html`<label class="check"><input type="checkbox" name="sure" value="${rejected.price}">${rejected.price} 元无误</label>`}
<button class="go" data-deliver>交付 ⌘↵</button> <button formaction="/desk/orders/${order.id}/draft" formnovalidate data-draft>存草稿</button>
<span class="hint" data-draft-state>${estimate.draftAt !== null && `草稿 ${formatTime(estimate.draftAt)}`}</span>`
}

/** How many times the price may be above or below the blind estimate without being asked about. */
const FAR = 3

/** Whether a typed price is so far from the blind estimate that it may be a slip of the keys. */
export function isFarFrom(firstFen: number | null, typed: string): boolean {
  const fen = parseYuanInput(typed)
  return firstFen !== null && fen !== undefined && (fen > FAR * firstFen || FAR * fen < firstFen)
}
