/** Which value on a screen belongs to which label: beside, above or below it, as the rest of the screen has it. */
import type { Rect } from './cells'

/** Where a value stands seen from its label. */
type Side = 'right' | 'left' | 'below' | 'above'
const SIDES: readonly Side[] = ['right', 'below', 'above', 'left']

interface Pair {
  label: number
  value: number
  /** false: another label is as likely */
  sure: boolean
}

interface Candidate {
  label: number
  value: number
  side: Side
  cost: number
}

const heightOf = ({ top, bottom }: Rect) => bottom - top
const middle = ({ top, bottom }: Rect) => (top + bottom) / 2
const centre = ({ left, right }: Rect) => (left + right) / 2

const onOneRow = (a: Rect, b: Rect) => Math.abs(middle(a) - middle(b)) < 0.45 * Math.max(heightOf(a), heightOf(b))

function inOneColumn(a: Rect, b: Rect): boolean {
  const height = Math.max(heightOf(a), heightOf(b))
  const isCentred =
    Math.abs(centre(a) - centre(b)) < Math.max(height, 0.25 * Math.max(a.right - a.left, b.right - b.left))
  return isCentred || Math.abs(a.left - b.left) < 0.7 * height || Math.abs(a.right - b.right) < 0.7 * height
}

/** heights of text between a label and its value that belong together without a line between them */
const NEAR = 2
/** heights of text between a label and its value in one column */
const MAX_ROWS = 2.2

/** The distance of a value on this side of a label in heights of text; undefined when it is not there. */
function distance(label: Rect, value: Rect, side: Side): number | undefined {
  const height = Math.max(heightOf(label), heightOf(value))
  if (side === 'right' || side === 'left') {
    if (!onOneRow(label, value)) return undefined
    const gap = (side === 'right' ? value.left - label.right : label.left - value.right) / height
    if (gap < -0.5) return undefined
    const near = 0.3 * Math.min(NEAR, Math.max(0, gap))
    return side === 'right' ? 0.2 + near + 0.02 * Math.max(0, gap - NEAR) : gap < NEAR ? 0.4 + near : undefined
  }
  if (!inOneColumn(label, value)) return undefined
  const gap = (side === 'below' ? value.top - label.bottom : label.top - value.bottom) / height
  return gap < -0.6 || gap > MAX_ROWS ? undefined : 0.4 + Math.max(0, gap)
}

/** Whether something stands between the two on their row. */
const isBlocked = (a: Rect, b: Rect, all: readonly Rect[]): boolean => {
  const [left, right] = a.left < b.left ? [a, b] : [b, a]
  return all.some((c) => c !== a && c !== b && onOneRow(c, a) && centre(c) > left.right && centre(c) < right.left)
}

/** Pairs of one side in which each is the other's nearest. */
function mutualPairs(labels: readonly Rect[], values: readonly Rect[], side: Side): Candidate[] {
  const all = labels.flatMap((label, l) =>
    values.flatMap((value, v): Candidate[] => {
      const cost = distance(label, value, side)
      return cost === undefined ? [] : [{ label: l, value: v, side, cost }]
    }),
  )
  const nearest = (key: 'label' | 'value', i: number) =>
    all
      .filter((pair) => pair[key] === i)
      .reduce<Candidate | undefined>((a, b) => (a && a.cost <= b.cost ? a : b), undefined)
  const others = [...labels, ...values]
  return all.filter((pair) => {
    if (nearest('label', pair.label) !== pair || nearest('value', pair.value) !== pair) return false
    const [label, value] = [labels[pair.label], values[pair.value]]
    return !label || !value || side === 'above' || side === 'below' || !isBlocked(label, value, others)
  })
}

/** costs closer than this are the same distance */
const CLEAR = 1.35
/** cost of the usual side of the screen, and how much more one costs that hardly any pair has */
const USUAL = 0.65
const RARE = 0.5

/**
 * Assigns each value to one label at most.
 * @param labels all texts that may name a value, also those that name no field, so that their values are taken for none
 */
export function pairUp(labels: readonly Rect[], values: readonly Rect[]): Pair[] {
  const bySide = SIDES.map((side) => mutualPairs(labels, values, side))
  const votes = new Map(SIDES.map((side, i) => [side, bySide[i]?.length ?? 0]))
  const most = Math.max(...votes.values())
  const factorOf = (side: Side) => {
    const share = (votes.get(side) ?? 0) / most
    return share === 1 ? USUAL : 1 + RARE * (1 - share)
  }
  const candidates = bySide
    .flat()
    .map((pair) => ({ ...pair, cost: pair.cost * factorOf(pair.side) }))
    .sort((a, b) => a.cost - b.cost)
  const usedLabels = new Set<number>()
  const usedValues = new Set<number>()
  const pairs: Pair[] = []
  for (const pair of candidates) {
    if (usedLabels.has(pair.label) || usedValues.has(pair.value)) continue
    usedLabels.add(pair.label)
    usedValues.add(pair.value)
    const rival = candidates.find(
      (other) =>
        other !== pair && other.value === pair.value && !usedLabels.has(other.label) && other.cost < pair.cost * CLEAR,
    )
    pairs.push({ label: pair.label, value: pair.value, sure: rival === undefined })
  }
  return pairs
}
