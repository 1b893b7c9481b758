import { useState } from 'react'
import { api } from '@/api'
import { useLoad } from '@/api/useLoad'
import { momentText } from '@/contract/timeText'
import type { Order } from '@/contract/types'
import { Cell } from '@/ui/Cell/Cell'
import { Empty } from '@/ui/Empty/Empty'
import { List } from '@/ui/List/List'
import { Sheet } from '@/ui/Sheet/Sheet'
import { copy } from '../copy'

/** latest orders offered */
const MAX_ORDERS = 20

function OrderChoices({ onPick }: { onPick: (order: Order) => void }) {
  const load = useLoad('chat-orders', async (signal) => {
    const { list } = await api.evaluation.orderList(
      { tab: 'ALL', pageNo: 1, pageSize: MAX_ORDERS },
      { quiet: true, signal },
    )
    return list
  })
  return (
    <List load={load} keyOf={({ orderId }) => orderId} empty={<Empty text={copy.noOrders} />}>
      {(order) => (
        <Cell
          title={order.title || order.gameName}
          note={`${order.statusText} · ${momentText(order.createdAt, Date.now())}`}
          onClick={() => onPick(order)}
        />
      )}
    </List>
  )
}

interface Props {
  open: boolean
  onClose: () => void
  onPicture: () => void
  onPick: (order: Order) => void
}

/** Sheet for sending a picture or an order. */
export function AttachmentSheet({ open, onClose, onPicture, onPick }: Props) {
  const [choosing, setChoosing] = useState(false)
  const close = () => {
    setChoosing(false)
    onClose()
  }
  const then = (work: () => void) => () => {
    close()
    work()
  }
  return (
    <Sheet open={open} onClose={close} title={choosing ? copy.orderTitle : copy.moreTitle}>
      {choosing ? (
        <OrderChoices onPick={(order) => then(() => onPick(order))()} />
      ) : (
        <>
          <Cell icon='camera' title={copy.picture} onClick={then(onPicture)} />
          <Cell icon='doc' title={copy.order} onClick={() => setChoosing(true)} />
        </>
      )}
    </Sheet>
  )
}
