import { View } from '@tarojs/components'
import { api } from '@/api'
import { useAction } from '@/api/useAction'
import { useCall } from '@/api/useCall'
import type { CentreCoupon } from '@/contract/types'
import { serverTime } from '@/lib/clock'
import { dialog } from '@/platform/dialog'
import { nav } from '@/router/nav'
import { useDidReturn } from '@/router/useDidReturn'
import { isLoggedIn } from '@/session/store'
import { Button } from '@/ui/Button/Button'
import { Countdown } from '@/ui/Countdown/Countdown'
import { Empty } from '@/ui/Empty/Empty'
import { List } from '@/ui/List/List'
import { Progress } from '@/ui/Progress/Progress'
import { Tag } from '@/ui/Tag/Tag'
import { copy } from './copy'
import { openUsePage, unavailableReason, validityText } from './model'
import { CouponCard } from './parts/CouponCard'
import { WhereCouponsShow } from './parts/WhereCouponsShow'

interface CentreCouponProps {
  coupon: CentreCoupon
  /** it was received, is gone, or can be received now: the list is outdated */
  onStale: () => void
}

/** Receives the coupon; without a login the user is sent to the login page and back. */
function ReceiveButton({ coupon, onStale }: CentreCouponProps) {
  const { state, name, receiveStartAt, templateId } = coupon
  const { busy, run } = useAction()
  const over = unavailableReason(coupon)
  const receive = async () => {
    if (!isLoggedIn()) return void nav.login()
    await run(async () => {
      await api.coupon.receive({ templateId })
      dialog.toast(copy.received)
    })
    onStale()
  }
  if (over) return <View>{over}</View>
  if (state === 'AVAILABLE')
    return (
      <Button size='s' loading={busy} label={copy.receiveLabel(name)} onClick={() => void receive()}>
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
        <Countdown until={receiveStartAt} onEnd={onStale} />
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
  // after a login the list shows which coupons were already received
  useDidReturn(again)
  return (
    <>
      <List load={load} keyOf={({ templateId }) => templateId} empty={<NoCoupons />}>
        {(coupon) => <CentreCouponCard coupon={coupon} onStale={again} />}
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
export const CouponCenterScreen = () => (
  <WhereCouponsShow>
    <CouponList />
  </WhereCouponsShow>
)
