import { gameOfTitle } from '@/contract/format'
import { isWide } from '@/contract/priceRange'
import type { Report } from '@/contract/types'
import { openFormWithAnswers } from '@/router/openFormWithAnswers'
import { Pressable } from '@/ui/Pressable/Pressable'
import { copy } from '../copy'

/** Opens the form with the report's answers. @param field the question to open it at */
export const openFormOf = (
  report: Report,
  { mode = report.mode, field }: { mode?: Report['mode']; field?: string } = {},
) => void openFormWithAnswers({ ...report, gameName: gameOfTitle(report.title), mode }, 'to', field)

/** The way from a price that is not known well to a better one: the open questions, or an appraiser. */
export function PriceAction({ report }: { report: Report }) {
  const { inputs, mine, price } = report
  const { assumed: [field, ...others] = [] } = price
  if (!inputs || mine === false) return null
  const action =
    field !== undefined && isWide(price)
      ? { text: copy.fill(1 + others.length), onClick: () => openFormOf(report, { field }) }
      : price.openEnded
        ? { text: copy.askAppraiser, onClick: () => openFormOf(report, { mode: 'MANUAL' }) }
        : undefined
  if (!action) return null
  return (
    <Pressable className='rp-price__action' onClick={action.onClick}>
      {action.text}
    </Pressable>
  )
}
