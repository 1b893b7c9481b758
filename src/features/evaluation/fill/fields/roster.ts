import type { RosterRow } from '@/contract/form/types'

export interface RosterRules {
  dup: readonly [number, number]
  sig: boolean
  refine: readonly [number, number]
}

/** Adds an item with the fewest copies and no weapon, or removes it. */
export function toggleRow(rows: readonly RosterRow[], v: string, { dup }: RosterRules): RosterRow[] {
  return rows.some((row) => row.v === v) ? rows.filter((row) => row.v !== v) : [...rows, { v, dup: dup[0] }]
}

/** Changes one row. Removing the weapon removes its refinement. */
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
