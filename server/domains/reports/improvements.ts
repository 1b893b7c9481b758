import type { Report } from '@/contract/types'
import type { Person } from './store'

type Improvements = NonNullable<Report['raise']>

/** Endings of field names that texts leave out: 邮箱状态 is called 邮箱. */
const FIELD_ENDING = /(?:状态|情况)$/

const MENDS = /解除|解绑|换|开通|办|改/
const GAIN = /多(?:卖|拿)(?:出|到|约|大约|了)*\s*(?:¥\s*([\d,]+(?:\.\d+)?)|([\d,]+(?:\.\d+)?)\s*元)/g

/** Sentences that name the field and what to do about it or what that brings; that it lowers the price is no such. */
const adviceOn = (field: string, texts: readonly string[]): string[] =>
  texts
    .flatMap((text) => text.split(/[。；;\n]/))
    .filter((one) => one.includes(field) && (MENDS.test(one) || /多(?:卖|拿)/.test(one)))

/** The only amount, fen, that sentences about mending this field name as its gain; 0 where they name none or several. */
function statedGain(texts: readonly string[], field: string): number {
  const sentences = adviceOn(field, texts).filter((one) => MENDS.test(one))
  const amounts = sentences.flatMap((one) =>
    [...one.matchAll(GAIN)].map(([, a, b = a]) => Math.round(100 * Number((b ?? '').replaceAll(',', '')))),
  )
  const [only = 0, ...others] = new Set(amounts)
  return others.length > 0 ? 0 : only
}

/**
 * The model's advice on raising the price, as far as the appraisers have not said more about it: none beside their judgement
 * of binding, which names the gain of each step. Where they corrected the line that it would change, or advise on it
 * themselves, the amount is the one they name, or none.
 */
export function improvementsBeside(
  improvements: Improvements,
  appraisers: readonly (Pick<Person, 'comment' | 'work'> | undefined)[],
): Improvements {
  if (appraisers.some((one) => one?.work.binding)) return []
  const notes = appraisers.flatMap((one) => one?.work.notes ?? [])
  const comments = appraisers.map((one) => one?.comment ?? '')
  return improvements.map((one) => {
    const { about } = one
    if (about === undefined) return one
    const field = about.replace(FIELD_ENDING, '')
    const own = notes.filter(({ label }) => label.startsWith(`${about} `))
    const gainFen = statedGain([...comments, ...own.map(({ why = '' }) => why)], field)
    const isJudged =
      gainFen > 0 || adviceOn(field, comments).length > 0 || own.some(({ verdict }) => verdict !== 'AGREE')
    return isJudged ? { ...one, gainFen } : one
  })
}
