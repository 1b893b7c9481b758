import { useState } from 'react'
import { unlockMethods, useFreeCoupon } from '@/api/unlock'
import { usePayStatus } from '@/api/usePayStatus'
import type { Report } from '@/contract/types'
import { serverTime } from '@/lib/clock'
import { nav } from '@/router/nav'
import { appState } from '@/session/store'
import { ActionBar } from '@/ui/ActionBar/ActionBar'
import { copy } from '../copy'
import { canShare } from '../model'
import type { ShareState } from '../useSharing'
import { openFormOf } from './PriceAction'
import { SellSheet } from './SellSheet'
import { ShareSheet } from './ShareSheet'
import { UnlockSheet } from './UnlockSheet'

interface Props {
  report: Report
  onShared: (share: ShareState) => void
  onUnlocked: () => void
}

/** The primary next action: revalue an expired report, unlock a locked one, or sell the account. */
export function ReportActions({ report, onShared, onUnlocked }: Props) {
  const pay = usePayStatus(appState().platform)
  // undefined while unknown: the primary action waits, because the unlock may take its place
  const methods = pay.loaded ? unlockMethods(pay.status) : undefined
  const [open, setOpen] = useState<'unlock' | 'share' | 'sell'>()
  const { orderId, status } = report
  const freeCoupon = useFreeCoupon(orderId, status === 'LOCKED' && methods?.includes('PAY') === true)
  const close = () => setOpen(undefined)
  const records = { text: copy.records, onClick: () => void nav.to('mineEvaluationRecords') }
  if (!canShare(report, serverTime()))
    return <ActionBar primary={{ text: copy.again, onClick: () => openFormOf(report) }} secondary={records} />
  const offered = status === 'LOCKED' && methods && methods.length > 0 ? methods : undefined
  const pending = status === 'LOCKED' && !methods
  const sell = { text: copy.sell, onClick: () => setOpen('sell') }
  const wait = { text: copy.actionPending, disabled: true }
  const unlock = { text: copy.unlock, icon: 'unlock', onClick: () => setOpen('unlock') } as const
  return (
    <>
      {offered ? (
        <UnlockSheet
          orderId={orderId}
          methods={offered}
          open={open === 'unlock'}
          onClose={close}
          onUnlocked={onUnlocked}
        />
      ) : null}
      <ShareSheet report={report} open={open === 'share'} onClose={close} onShared={onShared} />
      <SellSheet report={report} open={open === 'sell'} onClose={close} />
      <ActionBar
        primary={offered ? unlock : pending ? wait : sell}
        note={offered && freeCoupon ? copy.freeCoupon : undefined}
        secondary={{ text: copy.share, icon: 'share', onClick: () => setOpen('share') }}
      />
    </>
  )
}
