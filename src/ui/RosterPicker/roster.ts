import type { RosterRow } from '@/contract/form/types'

export interface RosterRules {
  dup: readonly [number, number]
  sig: boolean
  refine: readonly [number, number]
}

/** The words of a game for what a row is asked. */
export interface RosterWords {
  /** `命座`, `星魂` */
  dup: string
  /** `专武`, `专属光锥` */
  sig: string
  /** `精炼`, `叠影` */
  refine: string
}

/** Takes an item in with the fewest copies and no weapon, or out. */
export function toggleRow(rows: readonly RosterRow[], v: string, { dup }: RosterRules): RosterRow[] {
  return rows.some((row) => row.v === v) ? rows.filter((row) => row.v !== v) : [...rows, { v, dup: dup[0] }]
}

/** Changes one row. A refinement exists only with the weapon it belongs to. */
export function changeRow(
  rows: readonly RosterRow[],
  v: string,
  change: Partial<RosterRow>,
  rules: RosterRules,
): RosterRow[] {
  return rows.map((row) => {
    if (row.v !== v) return row
    const { refine, ...next } = { ...row, ...change }
    return next.sig ? { ...next, refine: refine ?? rules.refine[0] } : { v, dup: next.dup }
  })
}

/** `胡桃 1命 专武精1` as a chip under the field. */
export function rowText(name: string, { dup, sig, refine }: RosterRow, words: RosterWords): string {
  const weapon = sig ? ` · ${words.sig}${refine === undefined ? '' : ` ${words.refine}${refine}`}` : ''
  return `${name} ${words.dup}${dup}${weapon}`
}
