import { View } from '@tarojs/components'
import { payTypeText } from '@/contract/labels'
import type { Res } from '@/contract/types'
import { a11y } from '@/ui/a11y'
import { Cell } from '@/ui/Cell/Cell'
import { Icon } from '@/ui/Icon/Icon'
import { LoadBoundary, type LoadState } from '@/ui/LoadBoundary/LoadBoundary'
import { Sheet } from '@/ui/Sheet/Sheet'
import { SkeletonRows } from '@/ui/Skeleton/Skeleton'
import { copy } from '../copy'
import type { PayType } from '../usePayment'
import './ChannelSheet.scss'

type MarkName = 'chat' | 'wallet' | 'phone'
const marks: Record<PayType, MarkName> = {
  WX_JSAPI: 'chat',
  WX_H5: 'chat',
  WX_MINI: 'chat',
  ALI_WAP: 'wallet',
  APPLE: 'phone',
}

/** A neutral mark of a channel, drawn by us: the channels' own logos need a licence. */
function PayMark({ type, apple }: { type: PayType; apple: boolean }) {
  const name = apple ? 'phone' : marks[type]
  return (
    <View className={`checkout-mark checkout-mark--${name}`} {...a11y(undefined, { hidden: true })}>
      {name === 'wallet' ? copy.alipayMark : <Icon name={name} />}
    </View>
  )
}

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
                lead={<PayMark type={type} apple={apple} />}
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
