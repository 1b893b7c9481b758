import { BARGAIN_PREFIX } from '@/contract/appraisal'
import { yuanInput } from '@/contract/format'
import type { AppraisalDetails } from '@/contract/types'
import { formLines } from './appraisal-fields'
import type { Fields } from './auth'
import type { LoadedOrder } from './order'

const numbered = <T>(list: readonly T[], name: string, of: (one: T) => Record<string, string | undefined>): Fields =>
  Object.fromEntries(
    list.flatMap((one, i) => Object.entries(of(one)).map(([field, text = '']) => [`${name}-${i}-${field}`, text])),
  )

function adviceFields(details: AppraisalDetails): Fields {
  const { advice, plan = [], floorFen } = details
  const isBargain = ({ channel }: { channel: string }) => channel.startsWith(BARGAIN_PREFIX)
  const channels = advice.filter((one) => !isBargain(one))
  return {
    ...numbered(channels, 'advice', ({ channel, how, feeBp }) => ({
      ...{ channel, how },
      // per cent from basis points, as yuan from fen
      ...(feeBp !== undefined && { fee: yuanInput(feeBp) }),
    })),
    ...numbered(plan, 'plan', ({ day, fen }) => ({ day: String(day), price: yuanInput(fen) })),
    'plan-floor': yuanInput(floorFen),
    ...numbered(advice.filter(isBargain), 'bargain', ({ channel, how }) => ({
      says: channel.slice(BARGAIN_PREFIX.length),
      how,
    })),
  }
}

const bindingFields = ({
  item,
  costFen,
  basis,
  removal,
  gainFen,
  evidence,
}: NonNullable<AppraisalDetails['binding']>[number]) => [
  [`bind-${item}-cost`, yuanInput(costFen)],
  [`bind-${item}-basis`, basis],
  [`bind-${item}-removal`, removal ?? ''],
  [`bind-${item}-gain`, yuanInput(gainFen)],
  [`bind-${item}-seen`, evidence === 'SEEN' ? 'on' : ''],
]

const noteInputs = ({ label, verdict, why, ownFen }: AppraisalDetails['notes'][number]) => ({
  ...{ label, verdict, why },
  ...(ownFen !== undefined && { own: yuanInput(ownFen) }),
})

/** Verdicts by the rows of the form as it is now; lines that no longer exist are left out. */
function noteFields(notes: AppraisalDetails['notes'], valued: LoadedOrder['valued']): Fields {
  const by = new Map(notes.map((note) => [note.label, note]))
  const rows = valued ? formLines(valued).map(({ label }) => by.get(label)) : notes
  return numbered(rows, 'note', (note) => (note ? noteInputs(note) : {}))
}

/**
 * The delivered form of the newest version, from which an appraiser corrects it: their own where they took part.
 * Without the checklist, which is gone through again. Empty unless a new version is awaited.
 */
export function deliveredFields({ order, versions, valued }: LoadedOrder, no: string): Fields {
  const [newest] = versions
  const people = [newest?.appraiser, ...(newest?.others ?? [])]
  const author = people.find((one) => one?.no === no) ?? newest?.appraiser
  const details = author?.work
  if (order.status !== 'REVALUING' || !newest || !details) return {}
  const priceFen = newest.predict_fen
  // the price of two appraisers may lie outside the range of one
  const quickFen = Math.min(details.quickFen, priceFen)
  const listFen = Math.max(details.listFen, priceFen)
  return {
    ...{ price: yuanInput(priceFen), quick: yuanInput(quickFen), list: yuanInput(listFen) },
    ...{ low: yuanInput(Math.min(details.lowFen, quickFen)), high: yuanInput(Math.max(details.highFen, listFen)) },
    ...noteFields(details.notes, valued),
    ...numbered(details.comparables, 'like', (one) => one),
    ...adviceFields(details),
    ...Object.fromEntries((details.binding ?? []).flatMap(bindingFields)),
    comment: author.comment,
  }
}
