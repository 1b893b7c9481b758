import { useState } from 'react'
import { api } from '@/api'
import { useLoad } from '@/api/useLoad'
import { serverTime } from '@/lib/clock'
import { Notice } from '@/ui/Notice/Notice'
import { copy } from '../copy'

/** Whether what is written goes to the appraiser of an order, as the server allows it, until the user prefers staff. */
export function useQuestion(orderId: string | undefined) {
  const { data } = useLoad(`question:${orderId}`, async (signal) =>
    orderId ? await api.pay.getInfo({ orderId }, { quiet: true, signal }) : undefined,
  )
  const [left, setLeft] = useState(false)
  const open = data?.actions.includes('ASK') && !left
  return {
    order: data,
    ask: open ? data?.orderId : undefined,
    over: data !== undefined && !open && !left,
    leave: () => setLeft(true),
  }
}

/** Says who answers, and until when questions are taken. */
export function QuestionNotice({ order, ask, over, leave }: ReturnType<typeof useQuestion>) {
  if (over) return <Notice tone='warn' icon='clock' text={copy.askOver} />
  if (!ask || !order) return null
  return (
    <Notice
      icon='expert'
      text={copy.askTo(order.title, order.appraiser, order.askUntil ?? 0, serverTime())}
      action={{ text: copy.askStaff, onClick: leave }}
    />
  )
}
