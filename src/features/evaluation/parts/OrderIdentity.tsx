import type { Order } from '@/contract/types'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { CopyCell } from '@/ui/Cell/CopyCell'
import { copy } from '../copy'

export function OrderIdentity({ order }: { order: Order }) {
  return (
    <Card flush>
      <CopyCell title={copy.orderNo} text={order.orderNo} action={copy.copyOrderNo} />
      <Cell title={copy.game} value={order.gameName} />
    </Card>
  )
}
