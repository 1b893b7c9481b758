import { estimate } from '@/contract/format'
import { modeText } from '@/contract/labels'
import type { Report } from '@/contract/types'
import { nav } from '@/router/nav'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { copy } from '../copy'

/**
 * The account's price by the other kind of valuation, with the reason for a large difference. A report that includes the
 * model's has its figures there, and leads to no other one of an earlier order.
 */
export function ModelVersusAppraiser({ report: { other, ai } }: { report: Report }) {
  if (!other || ai) return null
  const { orderId, mode, predictFen, reason } = other
  return (
    <Card flush>
      <Cell
        title={copy.other(modeText[mode], estimate(predictFen))}
        note={reason}
        {...(orderId && { onClick: () => void nav.to('report', { orderId }) })}
      />
    </Card>
  )
}
