import { BARGAIN_PREFIX } from '@/contract/appraisal'
import { isEmpty, labelOf, visibleFields } from '@/contract/form/answers'
import type { FormConfig } from '@/contract/form/types'
import { bindingItemText, comparableVerdictText, keysOf, noteVerdictText } from '@/contract/labels'
import { wordedLength } from '@/contract/rules'
import type { AppraisalDetails } from '@/contract/types'
import { invalid } from '../app-error'
import { linesByWeight, misspelledNames } from '../domains/orders/appraisal-details'
import type { Subject } from '../domains/orders/appraiser-actions'
import { isBindingKnown } from '../domains/orders/binding-facts'
import type { OrderRow } from '../domains/orders/lock-price'
import type { Fields } from './auth'
import { parseSignedYuan, parseYuanInput } from './format'

/** Rows for lines of the appraiser's own, where the model gave no price. */
export const OWN_LINES = 8
/** Rows for channels. */
export const CHANNELS = 3
/** Length of a required comment. */
const COMMENT_MIN = 10
const CHECKS_MAX = 8
/** Rows of the selling plan and of buyers' arguments, above what the services ask for. */
export const PLAN_STEPS = 4
export const MAX_BUYER_ARGUMENTS = 3

const oneOfKeys = <T extends object>(table: T, value: string | undefined) => keysOf(table).find((key) => key === value)

/** Lines of the delivery form in the order of their weight; without the model's, empty rows for the appraiser's own. */
export const formLines = (valued: Subject['valued']): { label: string; amountFen?: number }[] =>
  valued ? linesByWeight(valued) : Array.from({ length: OWN_LINES }, () => ({ label: '' }))

function typedNotes(fields: Fields, valued: Subject['valued']): AppraisalDetails['notes'] {
  return formLines(valued).flatMap(({ amountFen }, i) => {
    const verdict = oneOfKeys(noteVerdictText, fields[`note-${i}-verdict`])
    const label = fields[`note-${i}-label`]?.trim()
    if (!verdict || !label) return []
    const why = fields[`note-${i}-why`]?.trim() ?? ''
    const line = valued?.breakdown.find((one) => one.label === label)
    const fen = line?.amountFen ?? amountFen
    const ownFen = verdict === 'AGREE' ? undefined : parseSignedYuan(fields[`note-${i}-own`] ?? '')
    return [
      {
        ...{ label, verdict, why },
        ...{ ...(fen !== undefined && { amountFen: fen }), ...(ownFen !== undefined && { ownFen }) },
      },
    ]
  })
}

function typedComparables(fields: Fields): AppraisalDetails['comparables'] {
  return Object.keys(fields).flatMap((name) => {
    const [, i] = /^like-(\d{1,2})-id$/.exec(name) ?? []
    const verdict = oneOfKeys(comparableVerdictText, fields[`like-${i}-verdict`])
    return verdict ? [{ id: fields[name] ?? '', verdict, why: fields[`like-${i}-why`]?.trim() ?? '' }] : []
  })
}

/** A fee typed in per cent with at most two decimals, as hundredths of a per cent. */
function feeOf(typed = ''): { feeBp?: number } {
  const bp = parseYuanInput(typed.replace(/[%％]\s*$/, ''))
  return bp === undefined ? {} : { feeBp: bp }
}

const typedAdvice = (fields: Fields): AppraisalDetails['advice'] =>
  Array.from({ length: CHANNELS }, (_, i) => ({
    channel: fields[`advice-${i}-channel`]?.trim() ?? '',
    how: fields[`advice-${i}-how`]?.trim() ?? '',
    ...feeOf(fields[`advice-${i}-fee`]),
  })).filter(({ channel, how }) => channel !== '' || how !== '')

/** The typed steps of the selling plan; an unreadable day or price becomes 0, which is refused. */
const typedPlan = (fields: Fields): { day: number; fen: number }[] =>
  Array.from({ length: PLAN_STEPS }, (_, i) => ({
    day: fields[`plan-${i}-day`]?.trim() ?? '',
    price: fields[`plan-${i}-price`]?.trim() ?? '',
  }))
    .filter(({ day, price }) => day !== '' || price !== '')
    .map(({ day, price }) => ({ day: Number(day), fen: parseYuanInput(price) ?? 0 }))

const typedBargains = (fields: Fields): AppraisalDetails['advice'] =>
  Array.from({ length: MAX_BUYER_ARGUMENTS }, (_, i) => ({
    says: fields[`bargain-${i}-says`]?.trim() ?? '',
    how: fields[`bargain-${i}-how`]?.trim() ?? '',
  }))
    .filter(({ says, how }) => says !== '' || how !== '')
    .map(({ says, how }) => ({ channel: `${BARGAIN_PREFIX}${says}`, how }))

/** Judged items of binding and recovery: those with an amount. What nobody knows is not judged as harmless. */
const typedBinding = (fields: Fields, { config, order }: Subject): NonNullable<AppraisalDetails['binding']> =>
  keysOf(bindingItemText).flatMap((item) => {
    const typed = (name: string) => fields[`bind-${item}-${name}`]?.trim() ?? ''
    const [costFen, gainFen] = [parseYuanInput(typed('cost')), parseYuanInput(typed('gain'))]
    if (costFen === undefined) return []
    const removal = typed('removal')
    const unseen = isBindingKnown(config, order.answers, item) ? 'ANSWERS' : 'NONE'
    return [
      {
        ...{ item, costFen, basis: typed('basis'), evidence: typed('seen') === 'on' ? 'SEEN' : unseen },
        ...{ ...(removal && { removal }), ...(gainFen !== undefined && { gainFen }) },
      },
    ]
  })

const priceNames = { low: '区间最低', quick: '快速出手价', list: '建议挂牌价', high: '区间最高' } as const

/** The details of an appraisal as typed in the delivery form. @throws AppError VALIDATION_FAILED */
export const readAppraisal =
  (fields: Fields) =>
  (subject: Subject): AppraisalDetails => {
    const fenOf = (name: keyof typeof priceNames) => {
      const fen = parseYuanInput(fields[name] ?? '')
      if (fen === undefined) throw invalid([{ path: name, msg: `请填写${priceNames[name]}（元）` }])
      return fen
    }
    const prices = { lowFen: fenOf('low'), quickFen: fenOf('quick'), listFen: fenOf('list'), highFen: fenOf('high') }
    const plan = typedPlan(fields)
    const binding = typedBinding(fields, subject)
    const floorFen = parseYuanInput(fields['plan-floor'] ?? '')
    return {
      ...prices,
      notes: typedNotes(fields, subject.valued),
      comparables: typedComparables(fields),
      advice: [...typedAdvice(fields), ...typedBargains(fields)],
      ...(plan.length > 0 && { plan }),
      ...(floorFen !== undefined && { floorFen }),
      ...(binding.length > 0 && { binding }),
    }
  }

/** Checks of an appraiser before delivering, from the game's own form: pictures, main drivers, risks. */
export function checklistOf(config: FormConfig, { answers, images }: Pick<OrderRow, 'answers' | 'images'>): string[] {
  const asked = visibleFields(config, answers).filter((field) => field.type !== 'image')
  const answered = asked.filter(({ key }) => !isEmpty(answers[key]))
  const mains = answered.filter(({ role }) => role === 'value*')
  const pictures = config.fields.some(({ type, key }) => type === 'image' && !isEmpty(answers[key]))
  const factors = asked.filter(({ role }) => role === 'factor' || role === 'risk')
  return [
    ...(pictures || images.length > 0 ? ['截图属于这个账号，与填写一致'] : []),
    ...mains.map((field) => `${field.label}：${labelOf(config, field, answers[field.key])}`),
    ...factors.map((field) => `${field.label}：${labelOf(config, field, answers[field.key]) || '未填，按谨慎情况计'}`),
  ].slice(0, CHECKS_MAX)
}

/** Everything the appraiser wrote, for the spelling check. */
const writtenIn = (fields: Fields): string =>
  Object.entries(fields)
    .filter(([name]) => /^(comment|changed)$|-(why|how|basis|removal)$/.test(name))
    .map(([, text]) => text)
    .join('\n')

/**
 * Names of the game's items; ordinary answers such as 可二次实名 are too close to prose, and so are names of two characters
 * and the one that is a day of the week.
 */
const namesOf = ({ dicts }: FormConfig): string[] =>
  Object.values(dicts)
    .flat()
    .map(({ t }) => t)
    .filter((name) => Array.from(name).length >= 3 && !name.startsWith('星期'))

/** Requires comment, checklist and spelling of item names. @throws AppError VALIDATION_FAILED */
export function checkForm(fields: Fields, config: FormConfig, order: OrderRow): void {
  const { comment = '', spelling } = fields
  const unchecked = checklistOf(config, order).filter((_, i) => fields[`check-${i}`] !== 'on')
  const wrong = spelling === 'on' ? [] : misspelledNames(writtenIn(fields), namesOf(config)).slice(0, 3)
  const issues = [
    wordedLength(comment) < COMMENT_MIN && { path: 'comment', msg: `请填写估价说明（至少 ${COMMENT_MIN} 字）` },
    unchecked.length > 0 && { path: 'check', msg: `请先完成核对清单，还差 ${unchecked.length} 项` },
    ...wrong.map(({ written, name }) => ({
      path: 'spelling',
      msg: `“${written}”是不是“${name}”？确认无误请勾选“名称无误”后交付`,
    })),
  ].filter((issue) => issue !== false)
  if (issues.length > 0) throw invalid(issues)
}
