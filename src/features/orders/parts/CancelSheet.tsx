import { View } from '@tarojs/components'
import { useState } from 'react'
import { api } from '@/api'
import { useAction } from '@/api/useAction'
import { cancelReasons } from '@/contract/labels'
import type { Order } from '@/contract/types'
import { dialog } from '@/platform/dialog'
import { Button } from '@/ui/Button/Button'
import { Notice } from '@/ui/Notice/Notice'
import { Choice } from '@/ui/Sheet/Choice'
import { Sheet } from '@/ui/Sheet/Sheet'
import { TextArea } from '@/ui/TextArea/TextArea'
import { copy } from '../copy'
import './sheets.scss'

interface Props {
  order: Order
  kind: 'cancel' | 'refund'
  /** false in native apps that may not show prices */
  prices: boolean
  onClose: () => void
  /** called after the server has answered; the list is reloaded */
  onDone: () => void
}

type Reason = (typeof cancelReasons)[number]
const OTHER: Reason = '其他'

/** Paid, and no appraiser has accepted it, though one may have been chosen. */
const isUnaccepted = ({ status, assignedAt }: Order) => status === 'PAID' || (status === 'ASSIGNED' && !assignedAt)

/** Consequence for the payment if the order is cancelled now. */
function refundNote(order: Order, kind: Props['kind'], prices: boolean): string | undefined {
  const { status, mode, payFen, discountFen } = order
  if (mode === 'AI' && kind === 'cancel') return copy.cancelAi
  if (!prices) return undefined
  if (kind === 'refund') return copy.refundReview
  const coupon = discountFen > 0 ? copy.cancelCoupon : ''
  if (status === 'UNPAID') return copy.cancelUnpaid + coupon
  if (payFen === 0) return (isUnaccepted(order) ? copy.cancelUnpriced : copy.cancelReviewUnpriced) + coupon
  return isUnaccepted(order) ? copy.cancelPaid(payFen) : copy.cancelReview
}

/** Asks for the reason and states what happens to the payment. */
export function CancelSheet({ order, kind, prices, onClose, onDone }: Props) {
  const [reason, setReason] = useState<Reason>()
  const [remark, setRemark] = useState('')
  const { failure, setFailure, busy, run } = useAction()

  function send() {
    if (!reason) return setFailure(copy.reasonNeed)
    if (reason === OTHER && remark.trim() === '') return setFailure(copy.otherNeed)
    // what was written for 其他 is not shown with another reason
    const said = { reason, remark: reason === OTHER ? remark.trim() : undefined }
    const { orderId, status } = order
    // the status that the owner has read: the server refuses when an appraiser has accepted since
    const seen = isUnaccepted(order) ? 'PAID' : status
    void run(
      async () => {
        const done = await api.evaluation.applyCancel({ orderId, ...said, seen }, { quiet: true })
        // one that no appraiser has accepted is cancelled at once, the others after a review
        dialog.toast(done.status === 'CANCELED' || isUnaccepted(order) ? copy.canceled : copy.refundSent)
        onClose()
        onDone()
      },
      ({ code, detail }) => {
        if (code === 'ORDER_STATUS_CHANGED') onDone()
        return detail
      },
    )
  }
  const note = refundNote(order, kind, prices)
  return (
    <Sheet
      open
      onClose={onClose}
      title={kind === 'cancel' ? copy.cancelTitle : copy.refundTitle}
      foot={
        <>
          {failure ? <Notice tone='bad' text={failure} /> : null}
          <View className='order-sheet__row'>
            <Button kind='secondary' block onClick={onClose}>
              {copy.keep}
            </Button>
            <Button kind='danger' block loading={busy} onClick={send}>
              {kind === 'cancel' ? copy.cancelYes : copy.refundYes}
            </Button>
          </View>
        </>
      }
    >
      <View className='order-sheet__title'>{order.title || order.gameName}</View>
      {note ? <View className='order-sheet__note'>{note}</View> : null}
      {cancelReasons.map((option) => (
        <Choice key={option} kind='radio' on={option === reason} onClick={() => setReason(option)}>
          {option}
        </Choice>
      ))}
      {reason === OTHER ? (
        <View className='order-sheet__text'>
          <TextArea
            label={copy.other}
            value={remark}
            onChange={setRemark}
            maxLength={100}
            placeholder={copy.otherHint}
            required
          />
        </View>
      ) : null}
    </Sheet>
  )
}
