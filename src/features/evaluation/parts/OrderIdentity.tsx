import type { Order } from '@/contract/types'
import { clipboard } from '@/platform/clipboard'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { copy } from '../copy'

/** Identifies the order. */
export function OrderIdentity({ order }: { order: Order }) {
  return (
    <Card flush>
      <Cell
        title={copy.orderNo}
        note={order.orderNo}
        end='copy'
        label={`${copy.copyOrderNo} ${order.orderNo}`}
        onClick={() => void clipboard.copy(order.orderNo)}
      />
      <Cell title={copy.game} value={order.gameName} />
    </Card>
  )
}
