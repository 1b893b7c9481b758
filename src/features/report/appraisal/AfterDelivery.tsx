import type { Report } from '@/contract/types'
import { nav } from '@/router/nav'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { humanCopy } from './copy'

/** Next steps for the owner of a manual report: questions while it is valid, and the appraisers' profiles. */
export function AfterDelivery({ report }: { report: Report }) {
  const { mode, mine, status, orderId } = report
  if (mode !== 'MANUAL' || mine === false) return null
  return (
    <Card flush>
      {status === 'UNLOCKED' ? (
        <Cell
          icon='chat'
          title={humanCopy.ask}
          note={humanCopy.askNote}
          onClick={() => void nav.to('chat', { orderId, ask: '1' })}
        />
      ) : null}
      <Cell icon='expert' title={humanCopy.all} onClick={() => void nav.to('article', { key: 'APPRAISERS' })} />
    </Card>
  )
}
