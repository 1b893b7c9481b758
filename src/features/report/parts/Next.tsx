import { useState } from 'react'
import type { Way } from '@/api/unlock'
import type { Report } from '@/contract/types'
import { nav } from '@/router/nav'
import { ActionBar } from '@/ui/ActionBar/ActionBar'
import { copy } from '../copy'
import { validity } from '../model'
import { revalue } from '../revalue'
import { Unlock } from './Unlock'

/** The one thing to do next: value again what has run out, unlock what is held back, or value another account. */
export function Next({ report, ways }: { report: Report; ways: readonly Way[] }) {
  const [choosing, setChoosing] = useState(false)
  const { orderId, status } = report
  const records = { text: copy.records, onClick: () => void nav.to('mineEvaluationRecords') }
  if (validity(report, Date.now()).expired || status === 'REVOKED')
    return <ActionBar primary={{ text: copy.again, onClick: () => void revalue(report) }} secondary={records} />
  if (status !== 'LOCKED' || ways.length === 0)
    return (
      <ActionBar
        primary={{ text: copy.another, onClick: () => void nav.to('evaluationChooseGame') }}
        secondary={records}
      />
    )
  return (
    <>
      <Unlock orderId={orderId} ways={ways} open={choosing} onClose={() => setChoosing(false)} />
      <ActionBar
        primary={{ text: copy.unlock, kind: 'celebrate', icon: 'unlock', onClick: () => setChoosing(true) }}
        secondary={records}
      />
    </>
  )
}
