import { View } from '@tarojs/components'
import { useAtomValue } from 'jotai'
import { api } from '@/api'
import { useCall } from '@/api/useCall'
import { useLoad } from '@/api/useLoad'
import { usePayStatus } from '@/api/usePayStatus'
import type { UserInfo } from '@/contract/types'
import { nav } from '@/router/nav'
import { useDidReturn } from '@/router/useDidReturn'
import { appState, dispatch, loggedInAtom, sessionAtom } from '@/session/store'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { LoadBoundary } from '@/ui/LoadBoundary/LoadBoundary'
import { SkeletonRows } from '@/ui/Skeleton/Skeleton'
import { copy } from './copy'
import { logout } from './logout'
import { DisplayCell } from './parts/DisplayCell'
import { OrderCountsCard } from './parts/OrderCountsCard'
import { GuestHeader, UserHeader } from './parts/UserHeader'
import './MineScreen.scss'

/** Loads the user and stores it in the session, so that the next visit shows it immediately. */
async function loadUser(): Promise<UserInfo> {
  const userInfo = await api.user.get()
  dispatch({ type: 'userInfoLoaded', userInfo })
  return userInfo
}

function SignedIn() {
  const { userInfo } = useAtomValue(sessionAtom)
  const user = useLoad('user', loadUser)
  const counts = useCall('pay', 'orderCount', {})
  const { paymentsEnabled } = usePayStatus(appState().platform)
  useDidReturn(() => void Promise.all([user.reload(), counts.reload()]))
  const info = user.data ?? userInfo
  return (
    <>
      <LoadBoundary load={{ ...user, data: info }} skeleton={<SkeletonRows rows={1} />}>
        {(shown) => <UserHeader user={shown} />}
      </LoadBoundary>
      <OrderCountsCard counts={counts.data} prices={paymentsEnabled} />
      <Card flush>
        <Cell icon='doc' title={copy.reports} onClick={() => void nav.to('mineEvaluationRecords', { tab: 'DONE' })} />
        {paymentsEnabled ? (
          <Cell
            icon='ticket'
            title={copy.coupons}
            value={info?.couponCount ? copy.couponCount(info.couponCount) : undefined}
            onClick={() => void nav.to('mineCouponRecords')}
          />
        ) : null}
        <Cell
          icon='bell'
          title={copy.messages}
          value={info?.unread ? <View className='mine-unread'>{copy.unread(info.unread)}</View> : undefined}
          onClick={() => void nav.to('mineMessage')}
        />
      </Card>
    </>
  )
}

/** The tab 我的. */
export function MineScreen() {
  const loggedIn = useAtomValue(loggedInAtom)
  return (
    <View className='mine'>
      {loggedIn ? <SignedIn /> : <GuestHeader />}
      <Card flush>
        <Cell icon='help' title={copy.help} onClick={() => void nav.to('helpCenter')} />
        <Cell icon='edit' title={copy.feedback} onClick={() => void nav.to('mineUserFeedback')} />
        <Cell icon='headset' title={copy.service} onClick={() => void nav.to('chat')} />
        <DisplayCell />
        <Cell icon='setting' title={copy.settings} onClick={() => void nav.to('mineSetting')} />
      </Card>
      {loggedIn ? (
        <Card flush>
          <Cell icon='logout' title={copy.logout} danger onClick={() => void logout()} />
        </Card>
      ) : null}
    </View>
  )
}
