import { View } from '@tarojs/components'
import { useState } from 'react'
import { ApiError, api } from '@/api'
import { useCall } from '@/api/useCall'
import { usePayStatus } from '@/api/usePayStatus'
import { isForSale } from '@/contract/sale'
import type { CentreCoupon } from '@/contract/types'
import { serverTime } from '@/lib/clock'
import { dialog } from '@/platform/dialog'
import { nav } from '@/router/nav'
import { useDidReturn } from '@/router/useDidReturn'
import { appState, isLoggedIn } from '@/session/store'
import { Button } from '@/ui/Button/Button'
import { Countdown } from '@/ui/Countdown/Countdown'
import { Empty } from '@/ui/Empty/Empty'
import { List } from '@/ui/List/List'
import { LoadBoundary } from '@/ui/LoadBoundary/LoadBoundary'
import { Progress } from '@/ui/Progress/Progress'
import { SkeletonRows } from '@/ui/Skeleton/Skeleton'
import { Tag } from '@/ui/Tag/Tag'
import { copy } from './copy'
import { openUsePage, unavailableReason, validityText } from './model'
import { CouponCard } from './parts/CouponCard'
import { CouponsUnavailable } from './parts/CouponsUnavailable'

/** Receives a coupon; without a login the user is sent to the login page and back. */
function useReceive(onDone: () => void) {
  const [busy, setBusy] = useState<string>()
  async function receive({ templateId }: CentreCoupon) {
    if (busy !== undefined) return
    if (!isLoggedIn()) return void nav.login()
    setBusy(templateId)
    try {
      await api.coupon.receive({ templateId })
      dialog.toast(copy.received)
    } catch (e) {
      if (!(e instanceof ApiError)) throw e
    } finally {
      setBusy(undefined)
      // sold out or already received: reload the list
      onDone()
    }
  }
  return { busy, receive }
}

interface CentreCouponProps {
  coupon: CentreCoupon
  busy: boolean
  onReceive: () => void
  onStart: () => void
}

function ReceiveButton({ coupon, busy, onReceive, onStart }: CentreCouponProps) {
  const { state, name, receiveStartAt } = coupon
  const over = unavailableReason(coupon)
  if (over) return <View>{over}</View>
  if (state === 'AVAILABLE')
    return (
      <Button size='s' loading={busy} label={copy.receiveLabel(name)} onClick={onReceive}>
        {copy.receive}
      </Button>
    )
  if (state === 'RECEIVED')
    return (
      <Button kind='secondary' size='s' onClick={() => openUsePage(coupon)}>
        {copy.use}
      </Button>
    )
  if (state === 'NOT_STARTED' && receiveStartAt !== undefined)
    return (
      <>
        <Countdown until={receiveStartAt} onEnd={onStart} />
        <View>{copy.startsIn}</View>
      </>
    )
  return <View>{copy.states[state]}</View>
}

export function CentreCouponCard(props: CentreCouponProps) {
  const { coupon } = props
  const { state, left, total } = coupon
  const over = unavailableReason(coupon)
  return (
    <CouponCard
      coupon={coupon}
      dates={validityText(coupon, serverTime())}
      faded={state === 'SOLD_OUT' || state === 'ENDED' || over !== undefined}
      tag={state === 'RECEIVED' && !over ? <Tag tone='ok'>{copy.states.RECEIVED}</Tag> : undefined}
      side={<ReceiveButton {...props} />}
    >
      {left === undefined || total <= 0 ? null : (
        <View className='coupon__stock'>
          <Progress done={left} total={total} label={copy.left} />
        </View>
      )}
    </CouponCard>
  )
}

function NoCoupons() {
  const action = { text: copy.goAi, onClick: () => void nav.tab('evaluation') }
  return <Empty art='box' text={copy.centreEmpty} note={copy.centreEmptyNote} action={action} />
}

function CouponList() {
  const load = useCall('coupon', 'canReceive', {})
  const again = () => void load.reload()
  const { busy, receive } = useReceive(again)
  // after a login the list shows which coupons were already received
  useDidReturn(again)
  return (
    <>
      <List load={load} keyOf={({ templateId }) => templateId} empty={<NoCoupons />}>
        {(coupon) => (
          <CentreCouponCard
            coupon={coupon}
            busy={busy === coupon.templateId}
            onReceive={() => void receive(coupon)}
            onStart={again}
          />
        )}
      </List>
      <View className='coupon-more'>
        <Button kind='ghost' icon='ticket' onClick={() => void nav.to('mineCouponRecords')}>
          {copy.mine}
        </Button>
      </View>
    </>
  )
}

/** Available coupons, public; receiving one needs a login. */
export function CouponCenterScreen() {
  const { load } = usePayStatus(appState().platform)
  return (
    <LoadBoundary load={load} skeleton={<SkeletonRows />}>
      {(status) => (isForSale(status) ? <CouponList /> : <CouponsUnavailable />)}
    </LoadBoundary>
  )
}
