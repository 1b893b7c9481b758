import { View } from '@tarojs/components'
import { useState } from 'react'
import { couponDates } from '@/contract/couponDates'
import { couponTerm, couponWorth } from '@/contract/couponText'
import type { PreOrder } from '@/contract/types'
import { serverTime } from '@/lib/clock'
import { nav } from '@/router/nav'
import { Cell } from '@/ui/Cell/Cell'
import { Choice } from '@/ui/Sheet/Choice'
import { Sheet } from '@/ui/Sheet/Sheet'
import { copy } from '../copy'
import './CouponPicker.scss'

type Coupon = PreOrder['coupons'][number]

const nameOf = (c: Coupon) => `${couponWorth(c)} · ${c.name}`
const noteOf = (c: Coupon) => `${couponTerm(c)} · ${couponDates(c, serverTime())}`

/** Text of the row: the discount, that coupons are available, or that there are none. */
function discountText({ discountFen, couponId }: PreOrder, usable: number) {
  if (couponId) return <View className='coupon-row__off'>{copy.couponOff(discountFen)}</View>
  return usable > 0 ? copy.couponUnused(usable) : copy.couponNone
}

interface Props {
  quote: PreOrder
  busy: boolean
  /** empty: no coupon */
  onChoose: (couponId: string) => void
}

/** Coupon of this order, initially the server's choice; unusable coupons are listed with the reason. */
export function CouponPicker({ quote, busy, onChoose }: Props) {
  const [open, setOpen] = useState(false)
  const usable = quote.coupons.filter((c) => c.reason === undefined)
  const others = quote.coupons.filter((c) => c.reason !== undefined)
  const pick = (couponId: string) => {
    setOpen(false)
    if (couponId !== (quote.couponId ?? '')) onChoose(couponId)
  }
  const row = { title: copy.coupon, value: busy ? '…' : discountText(quote, usable.length) }
  if (quote.coupons.length === 0)
    return <Cell {...row} value={copy.couponGet} onClick={() => void nav.to('couponCenter')} />
  return (
    <>
      <Cell {...row} onClick={() => setOpen(true)} />
      <Sheet open={open} onClose={() => setOpen(false)} title={copy.couponTitle}>
        {usable.map((c) => (
          <Choice
            key={c.couponId}
            kind='radio'
            on={c.couponId === quote.couponId}
            note={noteOf(c)}
            onClick={() => pick(c.couponId)}
          >
            {nameOf(c)}
          </Choice>
        ))}
        {usable.length > 0 ? (
          <Choice kind='radio' on={!quote.couponId} onClick={() => pick('')}>
            {copy.couponSkip}
          </Choice>
        ) : null}
        {others.length > 0 ? <View className='coupon-others'>{copy.couponUnusable}</View> : null}
        {others.map((c) => (
          <View key={c.couponId} className='coupon-other'>
            <View>{nameOf(c)}</View>
            <View className='coupon-other__why'>{c.reason}</View>
          </View>
        ))}
      </Sheet>
    </>
  )
}
