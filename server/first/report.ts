import { type BandDot, bandText, dotsOf, lanes, place } from '@/contract/band'
import { estimate, percentileText, rangeText, tenths } from '@/contract/format'
import { confidenceText, doubtsText, liquidityText } from '@/contract/labels'
import type { Report } from '@/contract/types'
import { type Html, html } from '../desk/html'
import { button, card, icon, nav, notice, script, tag, tap } from './parts'

const DAY = 24 * 3_600_000

const isOver = ({ status, validUntil }: Report, now: number) => status === 'EXPIRED' || validUntil <= now

function validity(report: Report, now: number): string {
  if (isOver(report, now)) return '已过期'
  const days = (report.validUntil - now) / DAY
  return days <= 1 ? '24 小时内到期' : `有效期还有 ${Math.ceil(days)} 天`
}

function price(fen: number, size: 'm' | 'xl'): Html {
  const text = estimate(fen)
  const figures = text.replace('¥', '')
  return html`<div class="ui-price ui-price--${size}">${figures !== text && html`<span class="ui-price__sign">¥</span>`}<span>${figures}</span></div>`
}

function legend(coverage: number, dots: readonly BandDot[]): Html {
  const sold = dots.filter(({ kind }) => kind === 'SOLD').length
  const key = (name: string, text: string) => html`<div class="ui-band__key ui-band__key--${name}">${text}</div>`
  return html`<div class="ui-band__legend">${key('range', `${tenths(coverage)}成交在此区间`)}
${sold > 0 && key('sold', `已成交 ${sold}`)}${dots.length > sold && key('asking', `挂牌中 ${dots.length - sold}`)}</div>`
}

/** The range graphic, as ui/PriceBand draws it on the price card. */
function band(shown: Report['price'], coverage: number, dots: readonly BandDot[]): Html {
  const dot = ({ at, lane, kind }: ReturnType<typeof lanes>[number]) =>
    html`<div class="ui-band__dot ui-band__dot--lane${lane}${kind === 'ASKING' && ' ui-band__dot--asking'}" style="left:${at}%"></div>`
  return html`<div class="ui-band ui-band--full ui-band--light"><div role="img" aria-label="${bandText({ ...shown, coverage }, dots)}">
${dots.length > 0 && html`<div class="ui-band__dots">${lanes(dots, { ...shown, coverage }).map(dot)}</div>`}
<div class="ui-band__line"><div class="ui-band__range"></div><div class="ui-band__tick" style="left:${place(shown.predictFen, shown)}%"></div></div>
<div class="ui-band__ends"><div class="ui-band__end">${estimate(shown.lowFen)}</div><div class="ui-band__end">${estimate(shown.highFen)}</div></div></div>
${legend(coverage, dots)}</div>`
}

function priceCard(report: Report, now: number): Html {
  const { price: shown, title, account, comparables = [], mode, aiGenerated } = report
  const { coverage } = shown
  const range = rangeText(shown)
  const label = mode === 'MANUAL' ? '人工估价' : aiGenerated ? 'AI生成' : '模型计算'
  return html`<div class="rp-price"><div class="rp-price__head"><div class="rp-price__title">${title}${account.idMasked && html`<div class="rp-price__id">ID ${account.idMasked}</div>`}</div>
<div class="rp-price__label">${label}</div></div>
${coverage !== undefined && band(shown, coverage, dotsOf(comparables, shown))}
<div class="rp-price__name">参考成交价</div>${price(shown.predictFen, 'xl')}
${range !== undefined && html`<div class="rp-price__range">${range}</div>`}
<div class="rp-price__foot">${validity(report, now)}</div></div>`
}

/** Who reads a report that is not theirs: a friend by its link, anybody in the gallery or inside the page of another site. */
export type Reader = 'FRIEND' | 'GALLERY' | 'FRAME'

const warnings = (report: Report, now: number, reader: Reader) => html`${notice(
  'info',
  'share',
  reader === 'FRIEND'
    ? '这是好友分享给您的报告，昵称、手机号和填写的资料已隐藏，账号 ID 已打码。'
    : '这份报告仅供阅读，昵称、手机号和填写的资料已隐藏，账号 ID 已打码。',
)}${report.status === 'REVOKED' && notice('bad', 'warning', '该报告已被撤回，内容不再代表当前估价。')}
${isOver(report, now) && notice('warn', 'clock', '报告已过 7 天有效期，行情可能已变化。')}
${report.model?.synthetic && notice('info', 'info', '当前样本为合成数据，仅用于演示估价方法，不代表真实行情。')}`

function appraisers({ appraiser, second }: Report): Html {
  const both = [appraiser, second].filter((one) => one !== undefined)
  const one = ({ name, no, years, comment, priceFen }: NonNullable<Report['second']>) =>
    card(
      years > 0 ? `${name} · 从业 ${years} 年` : name,
      no,
      html`${priceFen !== undefined && html`<div class="rp-own">独立估价 ${estimate(priceFen)}</div>`}${comment && html`<div class="rp-comment">${comment}</div>`}`,
    )
  return html`${both.map(one)}${both.length > 1 && html`<div class="rp-two">两位估价师分别估价，参考成交价由两者得出</div>`}`
}

const tones = { HIGH: 'ok', MEDIUM: 'blue', LOW: 'warn' } as const

function confidence({ confidence: sure, percentile, liquidity, title }: Report): Html | undefined {
  if (!sure) return undefined
  const { reasons, doubts = [] } = sure
  const reason = (name: 'check' | 'warning') => (text: string) =>
    html`<div class="rp-reason rp-reason--${name}">${icon(name, 's')}<div class="rp-reason__text">${text}</div></div>`
  const fact = (text: string) => html`<div class="rp-facts__one">${text}</div>`
  const days = liquidity && `预计 ${liquidity.days[0]}–${liquidity.days[1]} 天`
  const facts = html`<div class="rp-facts">${percentile !== undefined && fact(percentileText(percentile, title))}
${liquidity && fact(`出手速度：${liquidityText[liquidity.level]}，${days}`)}</div>`
  return card(
    '可信度',
    tag(tones[sure.level], `${confidenceText[sure.level]} · ${Math.round(sure.score)} 分`),
    html`${reasons.filter((text) => !doubts.includes(text)).map(reason('check'))}
${doubts.length > 0 && html`<div class="rp-doubts">${doubtsText}</div>`}${doubts.map(reason('warning'))}${(percentile !== undefined || liquidity !== undefined) && facts}`,
  )
}

function threePrices({ price: { quickFen, predictFen, listFen } }: Report): Html | undefined {
  if (quickFen === undefined || listFen === undefined) return undefined
  const one = (label: string, note: string, fen: number) => html`<div class="rp-three"><div class="rp-three__body">
<div class="rp-three__label">${label}</div><div class="rp-three__note">${note}</div></div>${price(fen, 'm')}</div>`
  return card(
    '三个价格怎么用',
    undefined,
    html`${one('快速出手价', '想尽快卖出', quickFen)}${one('参考成交价', '较可能的成交价', predictFen)}${one('建议挂牌价', '留出议价空间', listFen)}`,
  )
}

const home = tap('ui-nav__btn', '/', icon('home', 'l'), '回首页')
const next = html`<div class="ui-action"><div class="ui-action__row">
<div class="ui-action__second">${button('secondary', '首页', '/')}</div>
<div class="ui-action__main">${button('primary', '我也要估价', '/pages/evaluation/chooseGame')}</div></div></div>`

/**
 * The first screen of somebody else's report as the app will draw it (first-report.h5.test.tsx compares the two).
 * Inside another page nothing leads away.
 */
export const firstReport = (
  report: Report,
  { now, reader }: { now: number; reader: Reader },
): Html => html`<div class="ui-page">${reader !== 'FRAME' && nav('估价报告', home)}
<div class="ui-page__body"><div class="rp">${priceCard(report, now)}${warnings(report, now, reader)}${appraisers(report)}
${confidence(report)}${threePrices(report)}</div>${reader !== 'FRAME' && next}</div></div>`

/** Names few enough that one tells nobody who it is, and enough that a friend is hardly ever taken for the owner. */
const MARKS = 4093

/** Lets the browser of a report's owner know that it is his, and nobody else whose it is. */
export function ownerMark(reportNo: string, userId: string): number {
  let mark = 0
  for (const c of reportNo + userId) mark = (mark * 31 + c.charCodeAt(0)) % MARKS
  return mark
}

/** Hides this from the report's owner, whom the app shows more. It runs before anything below it has been read. */
export const friendScript = `try{(function(f){
var s=JSON.parse(localStorage.getItem('gav.session')).data,t=f.dataset.no+s.userId,m=0,i=0;
for(;i<t.length;i++)m=(m*31+t.charCodeAt(i))%${MARKS};
f.hidden=!!s.token&&f.dataset.owner===''+m
})(document.currentScript.parentNode)}catch(e){}`

/** A screen for everybody who opens the link but the report's owner. */
export const hiddenFromOwner = (reportNo: string, userId: string, screen: Html): Html =>
  html`<div id="first" data-no="${reportNo}" data-owner="${ownerMark(reportNo, userId)}">${script(friendScript)}${screen}</div>`
