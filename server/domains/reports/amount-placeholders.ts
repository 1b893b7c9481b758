import { estimate } from '@/contract/format'
import type { Report } from '@/contract/types'

/** Amounts of a report that advice may name: {参考价}, {挂牌价}, {快速价}, {底价}. */
export type Amounts = Pick<Report['price'], 'predictFen' | 'quickFen' | 'listFen'> & { floorFen?: number | undefined }

const placeholders: Record<string, (amounts: Amounts) => number> = {
  参考价: ({ predictFen }) => predictFen,
  挂牌价: ({ listFen }) => listFen,
  快速价: ({ quickFen }) => quickFen,
  底价: ({ floorFen, quickFen }) => floorFen ?? quickFen,
}

export const AMOUNT_PLACEHOLDERS = Object.keys(placeholders).map((name) => `{${name}}`)
/** Without the lowest acceptable price: owners give the advice on channels to buyers too. */
export const PUBLIC_AMOUNT_PLACEHOLDERS = AMOUNT_PLACEHOLDERS.filter((placeholder) => placeholder !== '{底价}')

/**
 * Replaces the placeholders of a text. An appraiser of two writes before the price of both is known, and a revaluation changes
 * it, so that the amounts are not stored.
 */
export const fillAmounts = (text: string, amounts: Amounts): string =>
  text.replace(/\{([^{}]*)\}/g, (all, name: string) => {
    const fen = Object.hasOwn(placeholders, name) ? placeholders[name]?.(amounts) : undefined
    return fen === undefined ? all : estimate(fen)
  })

/** A placeholder that is not one of the allowed ones, if the text has one. */
export const unknownPlaceholder = (text: string, allowed: readonly string[]): string | undefined =>
  text.match(/\{[^{}]*\}/g)?.find((placeholder) => !allowed.includes(placeholder))
