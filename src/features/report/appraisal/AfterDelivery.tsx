import type { Report } from '@/contract/types'
import { nav } from '@/router/nav'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { humanCopy } from './copy'

/** What the owner of a manual report may do next: ask while it is valid, and see who the appraisers are. */
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
