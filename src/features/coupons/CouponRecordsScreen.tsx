import { View } from '@tarojs/components'
import { useState } from 'react'
import { api } from '@/api'
import { usePages } from '@/api/usePages'
import { couponDates, expiryWarning } from '@/contract/couponDates'
import { pastDayText } from '@/contract/timeText'
import type { UserCoupon } from '@/contract/types'
import { serverTime } from '@/lib/clock'
import { nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { usePageSignal } from '@/router/pageContext'
import { Button } from '@/ui/Button/Button'
import { Chips, optionsOf } from '@/ui/Chip/Chips'
import { Empty } from '@/ui/Empty/Empty'
import { List } from '@/ui/List/List'
import { Tag } from '@/ui/Tag/Tag'
import { copy } from './copy'
import { openUsePage } from './model'
import { CouponCard } from './parts/CouponCard'
import { WhereCouponsShow } from './parts/WhereCouponsShow'

type CouponTab = keyof typeof copy.tabs
const tabs = optionsOf(copy.tabs)
const centre = { text: copy.toCentre, onClick: () => void nav.to('couponCenter') }

export function UserCouponCard({ coupon }: { coupon: UserCoupon }) {
  const now = serverTime()
  const { status, usedAt } = coupon
  const soon = status === 'UNUSED' ? expiryWarning(coupon, now) : undefined
  const use = (
    <Button size='s' onClick={() => openUsePage(coupon)}>
      {copy.use}
    </Button>
  )
  return (
    <CouponCard
      coupon={coupon}
      dates={usedAt === undefined ? couponDates(coupon, now) : copy.usedAt(pastDayText(usedAt, now))}
      faded={status === 'USED' || status === 'EXPIRED'}
      tag={
        soon ? <Tag tone='warn'>{soon}</Tag> : status === 'LOCKED' ? <Tag tone='blue'>{copy.locked}</Tag> : undefined
      }
      side={status === 'UNUSED' ? use : undefined}
    >
      {status === 'LOCKED' ? <View className='coupon__line'>{copy.lockedNote}</View> : null}
    </CouponCard>
  )
}

function UserCouponList({ status }: { status: CouponTab }) {
  const { list } = usePages<UserCoupon>({
    key: `coupons:${status}`,
    fetchPage: (pageNo, signal) => api.coupon.getByStatus({ status, pageNo }, { quiet: true, signal }),
    idOf: ({ couponId }) => couponId,
    signal: usePageSignal(),
  })
  return (
    <>
      <List {...list} empty={<Empty art='box' text={copy.empty[status]} action={centre} />}>
        {(coupon) => <UserCouponCard coupon={coupon} />}
      </List>
      {list.load.data?.length ? (
        <View className='coupon-more'>
          <Button kind='ghost' icon='gift' onClick={centre.onClick}>
            {centre.text}
          </Button>
        </View>
      ) : null}
    </>
  )
}

function UserCoupons({ first }: { first: CouponTab }) {
  const [tab, setTab] = useState(first)
  return (
    <>
      <Chips page className='coupon-tabs' role='tab' options={tabs} isOn={(option) => option === tab} onPick={setTab} />
      <UserCouponList key={tab} status={tab} />
    </>
  )
}

/** The user's coupons by status. */
export const CouponRecordsScreen = ({ params }: ScreenProps<'mineCouponRecords'>) => (
  <WhereCouponsShow>
    <UserCoupons first={tabs.find(({ v }) => v === params.status)?.v ?? 'UNUSED'} />
  </WhereCouponsShow>
)
