/** Whether a new model replaces the one in use. */
import { percent } from '@/contract/format'
import { capShares } from './sales/owner-shares'
import type { TrainingSales } from './sales/training-sales'

export interface Judgement {
  /** newest real sales that both priced without having learned from them */
  n: number
  /** mean errors on these sales, shares of the price */
  champion: number
  challenger: number
  /** median change of the prices of a fixed panel of accounts, without its sign */
  moved: number
}

/** accounts in the panel of a game */
export const PANEL_SIZE = 200
/** sales that both models price, at most */
const MAX_COMPARED = 100
/** sales from which on the errors count: with fewer, chance decides which one is smaller */
export const MIN_COMPARED = 10
/** fewer sales do not prove that a market has moved */
const MIN_TO_MOVE = 25
/** errors as multiples of that of the model in use */
const LIMITS = { equal: 1.05, muchBetter: 0.8, byHand: 2 } as const
const MAX_MOVED = 0.1

/**
 * The newest real sales that the model in use has not learned from, every other one of them: the challenger is compared on
 * these and learns from the rest, so that it knows the market of their days, as the new model will know that of its own.
 * @param newestSale id of the newest sale that the model in use was trained on
 * @returns their ids and weights, limited by owner
 */
export function withheldFrom({ sales, verified }: Pick<TrainingSales, 'sales' | 'verified'>, newestSale: number) {
  const unseen = sales.flatMap(({ id, at }) => {
    const owner = verified.get(id)
    return Number(id) > newestSale && owner ? [{ id, at, owner }] : []
  })
  const line = unseen.sort((a, b) => a.at - b.at || Number(a.id) - Number(b.id))
  const withheld = line.slice(-2 * MAX_COMPARED).filter((_, i) => i % 2 === 1)
  const weights = capShares(withheld.map(({ owner }) => owner))
  return withheld.flatMap(({ id }, i) => (weights[i] ? [[id, weights[i]] as [string, number]] : []))
}

/** Why a new model does not replace the one in use by itself; undefined when it does. */
export function whyRefused({ n, champion, challenger, moved }: Judgement): string | undefined {
  if (n >= MIN_COMPARED && challenger > LIMITS.equal * champion)
    return `新模型在最新 ${n} 条成交上的误差 ${percent(challenger)}，高于在用模型的 ${percent(champion)}`
  if (moved <= MAX_MOVED || (n >= MIN_TO_MOVE && challenger <= LIMITS.muchBetter * champion)) return undefined
  const errors =
    n < MIN_TO_MOVE
      ? '最新成交太少，还不能证明行情变了'
      : `误差 ${percent(challenger)}，没有比在用模型的 ${percent(champion)} 小五分之一`
  return `新模型让价格变动 ${percent(moved)}，${errors}`
}

/** Whether a model errs so much more than the one in use that staff cannot put it into use either; null: not compared. */
export const isFarWorse = (model: Record<'n' | 'champion' | 'challenger', number | null>): boolean =>
  (model.n ?? 0) >= MIN_COMPARED && (model.challenger ?? 0) > LIMITS.byHand * (model.champion ?? 0)
