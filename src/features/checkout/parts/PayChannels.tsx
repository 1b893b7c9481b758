import { payTypeText } from '@/contract/labels'
import type { Res } from '@/contract/types'
import { Card } from '@/ui/Card/Card'
import { Loaded, type LoadState } from '@/ui/Loaded/Loaded'
import { Notice } from '@/ui/Notice/Notice'
import { Choice } from '@/ui/Sheet/Choice'
import { SkeletonRows } from '@/ui/Skeleton/Skeleton'
import { copy } from '../copy'
import type { PayType } from '../usePayment'

interface Props {
  load: LoadState<Res<'pay', 'payType'>>
  type: PayType | undefined
  onPick: (type: PayType) => void
  /** Apple takes the payment, in the mini-program as well */
  apple?: boolean
}

/** Payment channels that the server offers for this environment. */
export function PayChannels({ load, type, onPick, apple }: Props) {
  return (
    <Loaded load={load} skeleton={<SkeletonRows rows={2} />}>
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
                onClick={() => onPick(one.type)}
              >
                {apple && one.type === 'WX_MINI' ? payTypeText.APPLE : payTypeText[one.type]}
              </Choice>
            ))}
          </Card>
        )
      }
    </Loaded>
  )
}
