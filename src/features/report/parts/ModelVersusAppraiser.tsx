import { estimate } from '@/contract/format'
import { modeText } from '@/contract/labels'
import type { Report } from '@/contract/types'
import { nav } from '@/router/nav'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { copy } from '../copy'

/** The account's price by the other kind of valuation, with the reason for a large difference. */
export function ModelVersusAppraiser({ report: { other } }: { report: Report }) {
  if (!other) return null
  const { orderId, mode, predictFen, reason } = other
  return (
    <Card flush>
      <Cell
        title={copy.other(modeText[mode], estimate(predictFen))}
        note={reason}
        onClick={() => void nav.to('report', { orderId })}
      />
    </Card>
  )
}
