import { payTypeText } from '@/contract/labels'
import type { Res } from '@/contract/types'
import { Cell } from '@/ui/Cell/Cell'
import { LoadBoundary, type LoadState } from '@/ui/LoadBoundary/LoadBoundary'
import { Sheet } from '@/ui/Sheet/Sheet'
import { SkeletonRows } from '@/ui/Skeleton/Skeleton'
import { copy } from '../copy'
import type { PayType } from '../usePayment'

interface Props {
  open: boolean
  load: LoadState<Res<'pay', 'payType'>>
  /** Apple takes the payment, in the mini-program as well */
  apple: boolean
  busy: boolean
  onPick: (type: PayType) => void
  onClose: () => void
}

/** The channels that the server offers for this environment; a tap on one begins the payment. */
export function ChannelSheet({ open, load, apple, busy, onPick, onClose }: Props) {
  const pick = (type: PayType) => {
    if (busy) return
    onClose()
    onPick(type)
  }
  return (
    <Sheet open={open} onClose={onClose} title={copy.channels}>
      <LoadBoundary load={load} skeleton={<SkeletonRows rows={2} />}>
        {(list) => (
          <>
            {list.map(({ type, note }) => (
              <Cell
                key={type}
                title={apple && type === 'WX_MINI' ? payTypeText.APPLE : payTypeText[type]}
                note={note || undefined}
                onClick={() => pick(type)}
              />
            ))}
          </>
        )}
      </LoadBoundary>
    </Sheet>
  )
}
