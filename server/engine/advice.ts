/** Advice beside the price: risk facts, and free steps that would raise the price. */
import { labelOf, optionsOf } from '@/contract/form/answers'
import type { Answers, Field, FormConfig } from '@/contract/form/types'
import { answerOf } from './encode'
import { effectOf } from './hedonic'
import { clamp } from './numbers'
import type { Hedonic, Valued } from './types'

/** Bindings and limits live in this section of every form. */
const SAFETY_GROUP = 'risk'
const NOTABLE_SEVERITY = 0.1

/**
 * 0 is fine, 1 the worst. Options are ordered from the best, an unknown counts half; a number is best at its maximum.
 */
function severity(config: FormConfig, field: Field, answers: Answers): number {
  const answer = answerOf(answers, field.key)
  if (answer === undefined) return 0
  if (typeof answer === 'number') {
    const { min = 0, max = 100 } = field.rules
    return max > min ? clamp((max - answer) / (max - min), 0, 1) : 0
  }
  if (typeof answer === 'boolean') return answer ? 1 : 0
  if (answer === 'unknown') return 0.5
  const known = optionsOf(config, field).filter((option) => option.v !== 'unknown')
  const place = known.findIndex((option) => option.v === answer)
  return place <= 0 ? 0 : place / Math.max(1, known.length - 1)
}

/** Safety facts for buyer and seller; they affect the price only if the market itself pays less for them. */
export function riskOf(config: FormConfig, answers: Answers): Valued['risk'] {
  const watched = config.fields.filter((field) => field.role === 'risk' || field.group === SAFETY_GROUP)
  const found = watched
    .map((field) => ({ field, weight: severity(config, field, answers) }))
    .filter(({ weight }) => weight >= NOTABLE_SEVERITY)
    .sort((a, b) => b.weight - a.weight)
  const total = found.reduce((sum, { weight }) => sum + weight, 0)
  const worst = found.some(({ field, weight }) => field.role === 'risk' && weight > 0.9)
  return {
    level: worst || total >= 1.5 ? 'HIGH' : total >= 0.4 ? 'MEDIUM' : 'LOW',
    facts: found.map(({ field }) => {
      const answered = labelOf(config, field, answerOf(answers, field.key))
      return answered.includes(field.label) ? answered : `${field.label}：${answered}`
    }),
  }
}

/**
 * Settings that the owner can change to a better option, each re-priced alone (`predict` runs the whole model). Only free
 * and reversible steps are suggested, never purchases, and never what is fixed, such as the server.
 */
export function improvementsOf(
  config: FormConfig,
  hedonic: Hedonic,
  answers: Answers,
  predictFen: number,
  predict: (answers: Answers) => number,
): Valued['raise'] {
  const steps = config.fields.filter((field) => field.role === 'factor' && field.changeable)
  return steps
    .flatMap((field) => {
      const best = bestOption(config, hedonic, field)
      if (best === undefined || answerOf(answers, field.key) === best.v) return []
      const gainFen = predict({ ...answers, [field.key]: best.v }) - predictFen
      const unknown = answerOf(answers, field.key) === undefined || answerOf(answers, field.key) === 'unknown'
      const action = unknown ? `确认${field.label}（若为“${best.t}”）` : (best.how ?? `把${field.label}改为“${best.t}”`)
      return gainFen >= Math.max(100, 0.005 * predictFen)
        ? [{ action, about: field.label, gainFen, cost: 'FREE' as const }]
        : []
    })
    .sort((a, b) => b.gainFen - a.gainFen)
}

function bestOption(config: FormConfig, hedonic: Hedonic, field: Field) {
  const factor = hedonic.factors.find(({ key }) => key === field.key)
  const effect = (v: string) => (factor ? effectOf(factor, v, 'worst') : 0)
  return [...optionsOf(config, field)]
    .filter((option) => option.v !== 'unknown')
    .sort((a, b) => effect(b.v) - effect(a.v))[0]
}
