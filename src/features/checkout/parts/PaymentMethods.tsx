import { View } from '@tarojs/components'
import { payTypeText } from '@/contract/labels'
import type { Res } from '@/contract/types'
import { a11y } from '@/ui/a11y'
import { Card } from '@/ui/Card/Card'
import { Icon } from '@/ui/Icon/Icon'
import { LoadBoundary, type LoadState } from '@/ui/LoadBoundary/LoadBoundary'
import { Notice } from '@/ui/Notice/Notice'
import { Choice } from '@/ui/Sheet/Choice'
import { SkeletonRows } from '@/ui/Skeleton/Skeleton'
import { copy } from '../copy'
import type { PayType } from '../usePayment'
import './PaymentMethods.scss'

interface Props {
  load: LoadState<Res<'pay', 'payType'>>
  type: PayType | undefined
  onPick: (type: PayType) => void
  /** Apple takes the payment, in the mini-program as well */
  apple?: boolean
}

type MarkName = 'chat' | 'wallet' | 'phone'
const marks: Record<PayType, MarkName> = {
  WX_JSAPI: 'chat',
  WX_H5: 'chat',
  WX_MINI: 'chat',
  ALI_WAP: 'wallet',
  APPLE: 'phone',
}

/** A neutral mark of a channel, drawn by us: the channels' own logos need a licence. */
function PayMark({ type, apple }: { type: PayType; apple: boolean | undefined }) {
  const name = apple ? 'phone' : marks[type]
  return (
    <View className={`checkout-mark checkout-mark--${name}`} {...a11y(undefined, { hidden: true })}>
      {name === 'wallet' ? copy.alipayMark : <Icon name={name} />}
    </View>
  )
}

/** Payment channels that the server offers for this environment. */
export function PaymentMethods({ load, type, onPick, apple }: Props) {
  return (
    <LoadBoundary load={load} skeleton={<SkeletonRows rows={2} />}>
      {(list) =>
        list.length === 0 ? (
          <Notice tone='warn' text={`${copy.noChannel}。${copy.noChannelNote}`} />
        ) : (
          <Card flush title={copy.channels}>
            {list.map((one) => (
              <Choice
                key={one.type}
                kind='radio'
                on={one.type === type}
                note={one.note || undefined}
                lead={<PayMark type={one.type} apple={apple} />}
                onClick={() => onPick(one.type)}
              >
                {apple && one.type === 'WX_MINI' ? payTypeText.APPLE : payTypeText[one.type]}
              </Choice>
            ))}
          </Card>
        )
      }
    </LoadBoundary>
  )
}
