import type { Order } from '@/contract/types'
import { clipboard } from '@/platform/clipboard'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { copy } from '../copy'

export function OrderIdentity({ order: { orderNo, gameName } }: { order: Order }) {
  return (
    <Card flush>
      <Cell
        title={copy.orderNo}
        note={orderNo}
        end='copy'
        label={`${copy.copyOrderNo} ${orderNo}`}
        onClick={() => void clipboard.copy(orderNo)}
      />
      <Cell title={copy.game} value={gameName} />
    </Card>
  )
}
