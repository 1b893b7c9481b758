/** Characters with their copies and signature weapons: 胡桃2命专武, 6命雷神, 钟离 1+1. */
import type { Answers, Field, FormConfig, RosterRow } from '@/contract/form/types'
import { MAXIMUM, type Token } from './lexer'
import { numberFirst } from './pair-numbers'
import { adjacentTokens, meaningOf, nearer, nextMeaningful } from './token-neighbours'

const isHard = (part: Token | undefined): boolean => part === undefined || (part.kind === 'gap' && part.gap === 'hard')

/** A name shared by several items counts as a character only when it stands alone or next to copies. */
function nameAt(parts: readonly Token[], index: number, field: Field): string | undefined {
  const item = meaningOf(parts[index], 'item')
  if (item?.field !== field) return undefined
  const inWord = parts[index - 1]?.kind === 'other' || parts[index + 1]?.kind === 'other'
  if (item.short && inWord) return undefined
  return parts[nextMeaningful(parts, index, -1)]?.kind === 'not' ? undefined : item.v
}

const within = (n: number, [min, max]: readonly [number, number]): number => Math.min(max, Math.max(min, n))

/** The name that a number of copies belongs to: the nearer one; at equal distance the clause's order decides. */
function ownerOf(parts: readonly Token[], index: number, isName: (i: number) => boolean): number | undefined {
  const isCopies = (i: number) => parts[i]?.kind === 'copies'
  const [left, right] = adjacentTokens(parts, index, isName)
  return nearer(left, right, () => numberFirst(parts, index, isName, isCopies))?.i
}

/** The last name before this position in the same clause. */
function nameBefore(parts: readonly Token[], index: number, isName: (i: number) => boolean): number | undefined {
  for (let i = index - 1; !isHard(parts[i]); i--) if (isName(i)) return i
  return undefined
}

export function readRoster(parts: readonly Token[], answers: Answers, config: FormConfig): void {
  for (const field of config.fields) {
    const rule = field.roster
    if (field.type !== 'roster' || !rule) continue
    const isName = (i: number) => nameAt(parts, i, field) !== undefined
    const rows = new Map<number, RosterRow>()
    parts.forEach((_, index) => {
      const v = nameAt(parts, index, field)
      if (v !== undefined) rows.set(index, { v, dup: rule.dup[0] })
    })
    parts.forEach((part, index) => {
      if (part.kind === 'copies') addCopies(part, rows.get(ownerOf(parts, index, isName) ?? -1), rule)
      // 护摩之杖 belongs to 胡桃 wherever it appears; without her it is ignored
      const weapon = meaningOf(part, 'weapon')
      if (weapon?.field === field && parts[nextMeaningful(parts, index, -1)]?.kind !== 'not')
        for (const row of rows.values()) if (row.v === weapon.v) addSignature(row, undefined, rule)
      if (part.kind === 'signature' || part.kind === 'refine') {
        const row = rows.get(nameBefore(parts, index, isName) ?? -1)
        if (row) addSignature(row, part.kind === 'refine' ? part.n : undefined, rule)
      }
    })
    answers[field.key] = oncePerName([...rows.values()]).slice(0, field.rules.maxItems)
  }
}

type Rule = NonNullable<Field['roster']>

function addCopies({ n, refine }: Extract<Token, { kind: 'copies' }>, row: RosterRow | undefined, rule: Rule): void {
  if (!row) return
  row.dup = within(n === MAXIMUM ? rule.dup[1] : n, rule.dup)
  if (refine) addSignature(row, refine, rule)
}

function addSignature(row: RosterRow, refine: number | undefined, rule: Rule): void {
  if (!rule.sig) return
  row.sig = true
  if (refine !== undefined) row.refine = within(refine, rule.refine)
}

/** Titles are repeated in the text: of duplicate names the more complete row is kept. */
function oncePerName(rows: readonly RosterRow[]): RosterRow[] {
  const best = new Map<string, RosterRow>()
  const weight = (row: RosterRow | undefined) => (row ? row.dup * 10 + (row.sig ? 1 + (row.refine ?? 0) : 0) : -1)
  for (const row of rows) if (weight(row) > weight(best.get(row.v))) best.set(row.v, row)
  return [...best.values()]
}
