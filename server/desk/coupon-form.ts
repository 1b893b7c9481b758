import { couponScopeText } from '@/contract/labels'
import { DAY_MS } from '@/contract/time'
import { invalid } from '../core/app-error'
import { parseChinaDay } from '../core/clock'
import type { NewTemplate } from '../domains/payments/coupons/grant-by-hand'
import { type Html, html, options } from '../http/html'
import type { Fields } from './auth'
import { parseYuanInput } from './format'
import { fieldCheckboxes, type Game, gameCheckboxes } from './games'

const NO_LIMIT = -1
/** upper limits against typing errors; a report costs a few tens of yuan */
const most = { name: 20, fen: 100_000, days: 365, total: 1_000_000, perUser: 10 } as const

/** Kinds of coupon the form offers. An amount with a minimum is 满减, without one 立减. */
const kinds = { AMOUNT: '减金额', PERCENT: '打折', FREE: '免费体验（AI 完整报告）' } as const

const whole = (text: string, max: number): number | undefined => {
  const n = /^\d{1,7}$/.test(text.trim()) ? Number(text) : Number.NaN
  return n >= 1 && n <= max ? n : undefined
}
const sum = (text: string): number | undefined => {
  const fen = parseYuanInput(text)
  return fen !== undefined && fen > 0 && fen <= most.fen ? fen : undefined
}

type Issues = (string | false | null | undefined)[]
type Worth = Pick<NewTemplate, 'type' | 'amount_fen' | 'percent' | 'cap_fen' | 'threshold_fen'>

/** Discount and minimum price. */
function worthOf({ kind, amount = '', percent = '', cap = '', threshold = '' }: Fields): {
  worth: Worth
  issues: Issues
} {
  const from = threshold.trim() === '' ? 0 : parseYuanInput(threshold)
  const threshold_fen = from ?? 0
  const none = { amount_fen: 0, percent: null, cap_fen: null, threshold_fen }
  const wrongFrom = (from === undefined || from > most.fen) && '使用门槛为 0-1000 元，可不填'
  if (kind === 'FREE')
    return { worth: { ...none, type: 'FREE' }, issues: [wrongFrom, threshold_fen > 0 && '体验券没有使用门槛'] }
  if (kind === 'PERCENT') {
    const paid = whole(percent, 99)
    const cap_fen = cap.trim() === '' ? null : sum(cap)
    return {
      worth: { ...none, type: 'PERCENT', percent: paid ?? null, cap_fen: cap_fen ?? null },
      issues: [
        wrongFrom,
        paid === undefined && '折扣填实付的百分数，1-99（80 即 8 折）',
        cap_fen === undefined && '最多减应大于 0，不超过 1000 元',
      ],
    }
  }
  const fen = sum(amount)
  return {
    worth: { ...none, type: threshold_fen > 0 ? 'CASH_OFF' : 'DIRECT', amount_fen: fen ?? 0 },
    issues: [
      wrongFrom,
      kind !== 'AMOUNT' && '请选择优惠方式',
      fen === undefined && '减免金额应大于 0，不超过 1000 元，例如 5 或 5.50',
      threshold_fen > 0 && fen !== undefined && fen > threshold_fen && '减免金额不能高于使用门槛',
    ],
  }
}

type Times = Pick<NewTemplate, 'valid_type' | 'start_at' | 'end_at' | 'days' | 'receive_start_at' | 'receive_end_at'>

/** How long the coupon is valid: days from its receipt, or a last day, after which it can no longer be received either. */
function timesOf({ days = '', until = '' }: Fields, now: number) {
  const last = parseChinaDay(until.trim())
  const end = typeof last === 'number' ? last + DAY_MS : null
  const dated = days.trim() === ''
  const n = dated ? null : whole(days, most.days)
  const times: Times = {
    ...{ valid_type: dated ? 'DATE' : 'DAYS', days: n ?? null },
    ...{ start_at: dated ? now : null, end_at: dated ? end : null },
    ...{ receive_start_at: null, receive_end_at: null },
  }
  const issues: Issues = [
    last === undefined && '日期应写成 2026-11-21',
    n === undefined && `有效天数为 1-${most.days} 的整数`,
    !dated && end !== null && '有效天数和使用日期只填一种',
    dated && last === null && '请填写有效天数，或使用的截止日期',
    end !== null && end <= now && '截止日期已经过去',
  ]
  return { times, issues }
}

/** Converts the form into a row. @throws AppError VALIDATION_FAILED listing every issue */
export function templateOf(fields: Fields, games: readonly Game[], now: number): NewTemplate {
  const name = (fields.name ?? '').trim()
  const scope = (Object.keys(couponScopeText) as (keyof typeof couponScopeText)[]).find((s) => s === fields.scope)
  const chosen = scope === 'GAME' ? gameCheckboxes(games, fields) : []
  const total = (fields.total ?? '').trim() === '' ? NO_LIMIT : whole(fields.total ?? '', most.total)
  const perUser = whole(fields.perUser ?? '', most.perUser)
  const { worth, issues: ofWorth } = worthOf(fields)
  const { times, issues: ofTimes } = timesOf(fields, now)
  const issues = [
    (name === '' || Array.from(name).length > most.name) && `名称为 1-${most.name} 字`,
    ...ofWorth,
    scope === undefined && '请选择适用范围',
    scope === 'GAME' && chosen.length === 0 && '请选择适用的游戏',
    worth.type === 'FREE' && scope !== 'AI' && '体验券只能用于 AI 完整报告，适用范围请选 AI 估价',
    total === undefined && `发放总数为 1-${most.total} 的整数，不填为不限`,
    perUser === undefined && `每人最多为 1-${most.perUser} 的整数`,
    ...ofTimes,
  ].filter((issue) => typeof issue === 'string')
  if (issues.length > 0 || scope === undefined) throw invalid(issues.map((msg) => ({ path: '', msg })))
  return {
    ...{ name, scope, game_ids: JSON.stringify(chosen), listed: true },
    ...{ total: total ?? NO_LIMIT, per_user: perUser ?? 1 },
    ...worth,
    ...times,
  }
}

/** The form for a new template, with the values typed so far. */
export const templateFields = (typed: Fields, games: readonly Game[]): Html => html`
<label>名称（1-${most.name} 字，用户可见）<input name="name" value="${typed.name}" maxlength="${most.name}" autocomplete="off" required></label>
<label>优惠方式<select name="kind">${options(kinds, typed.kind)}</select></label>
<label>减免金额（元，减金额时填）<input name="amount" value="${typed.amount}" inputmode="decimal" autocomplete="off" placeholder="5"></label>
<label>实付百分数（打折时填，80 即 8 折）<input name="percent" value="${typed.percent}" inputmode="numeric" autocomplete="off" placeholder="80"></label>
<label>打折最多减（元，可不填）<input name="cap" value="${typed.cap}" inputmode="decimal" autocomplete="off"></label>
<label>使用门槛（满多少元可用，不填为无门槛）<input name="threshold" value="${typed.threshold}" inputmode="decimal" autocomplete="off"></label>
<label>适用范围<select name="scope">${options(couponScopeText, typed.scope)}</select></label>
<fieldset><legend>适用的游戏（选“指定游戏可用”时勾选）</legend>${fieldCheckboxes(games, gameCheckboxes(games, typed))}</fieldset>
<label>发放总数（不填为不限）<input name="total" value="${typed.total}" inputmode="numeric" autocomplete="off"></label>
<label>每人最多几张<input name="perUser" value="${typed.perUser ?? '1'}" inputmode="numeric" autocomplete="off"></label>
<label>领取后几天内有效（或填下面的使用日期）<input name="days" value="${typed.days}" inputmode="numeric" autocomplete="off" placeholder="15"></label>
<label>可使用到哪天（含当天）<input name="until" value="${typed.until}" autocomplete="off" placeholder="2026-11-30"></label>`
