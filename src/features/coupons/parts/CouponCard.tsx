import { View } from '@tarojs/components'
import { type ReactNode, useState } from 'react'
import { couponTerm, couponWorth } from '@/contract/couponText'
import { couponScopeText, couponTypeText } from '@/contract/labels'
import type { UserCoupon } from '@/contract/types'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/Icon/Icon'
import { Pressable } from '@/ui/Pressable/Pressable'
import { copy } from '../copy'
import './CouponCard.scss'

type Rule = Pick<
  UserCoupon,
  'name' | 'type' | 'amountFen' | 'percent' | 'capFen' | 'thresholdFen' | 'scope' | 'gameIds'
>

interface Props {
  coupon: Rule
  dates: string
  /** right of the name: expiry warning */
  tag?: ReactNode
  /** right of the rule: action, or why there is none */
  side: ReactNode
  /** below the dates: stock or status */
  children?: ReactNode
  /** used, expired, sold out */
  faded?: boolean
}

/** A coupon as a ticket: its worth on the stub, terms, action and collapsible conditions beside it. */
export function CouponCard({ coupon, dates, tag, side, children, faded }: Props) {
  const [open, setOpen] = useState(false)
  const { name, type } = coupon
  return (
    <View className={cx('ui-card', 'coupon', faded && 'coupon--faded')}>
      <View className='coupon__worth'>
        <View className='coupon__sum'>{couponWorth(coupon)}</View>
        <View className='coupon__type'>{couponTypeText[type]}</View>
      </View>
      <View className='coupon__body'>
        <View className='coupon__name'>
          {name}
          {tag ? <View className='coupon__tag'>{tag}</View> : null}
        </View>
        <View className='coupon__line'>{type === 'FREE' ? copy.rules.free : couponTerm(coupon)}</View>
        <View className='coupon__line'>{dates}</View>
        {children}
        <View className='coupon__foot'>
          <Pressable
            className='coupon__fold'
            expanded={open}
            label={`${name}：${open ? copy.ruleClose : copy.ruleOpen}`}
            onClick={() => setOpen(!open)}
          >
            {copy.rule}
            <Icon name={open ? 'chevron-up' : 'chevron-down'} size='s' />
          </Pressable>
          <View className='coupon__side'>{side}</View>
        </View>
        {open ? (
          <View className='coupon__rules'>
            <View>{couponScopeText[coupon.scope]}</View>
            <View>{copy.rules.perOrder}</View>
            <View>{copy.rules.back}</View>
          </View>
        ) : null}
      </View>
    </View>
  )
}
