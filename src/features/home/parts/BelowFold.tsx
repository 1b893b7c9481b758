import { View } from '@tarojs/components'
import { usePullDownRefresh } from '@tarojs/taro'
import { type ReactNode, useEffect, useState } from 'react'
import { useCall } from '@/api/useCall'
import { isForSale } from '@/contract/sale'
import type { GameItem, OpenPayStatus } from '@/contract/types'
import { useDidReturn } from '@/router/useDidReturn'
import { session } from '@/session/store'
import { copy } from '../copy'
import { statistics } from '../model'
import { BelowFoldPlaceholder } from './BelowFoldPlaceholder'
import { DailyCoupon, useDailyCoupon } from './DailyCoupon'
import { LatestValuations } from './LatestValuations'
import { Block, Links, NewsLine } from './News'
import { PopularMarket } from './PopularMarket'
import { Accuracy, Reasons, Statistics } from './Trust'

const PREVIEW_SIZE = 3

/** Each block loads, fails and retries independently. */
function useBlocks() {
  const counts = useCall('app', 'homeDataCount', {})
  const latest = useCall('app', 'lastFifteenOrder', {})
  const news = useCall('app', 'informationPage', { type: 'GUIDE', pageNo: 1, pageSize: PREVIEW_SIZE })
  return { counts, latest, news }
}

/**
 * What belongs to the reports of the user. Guests do not load its code. The tab stays mounted while the user logs in,
 * so it is looked at again when the tab is shown again. `hasReports` is undefined until it is known.
 */
function useOwnReports(): { own: ReactNode; hasReports: boolean | undefined } {
  const [userId, setUserId] = useState(() => session().userId)
  const [returns, setReturns] = useState(0)
  const [hasReports, setHasReports] = useState<boolean>()
  const [loaded, setLoaded] = useState<{ Own: typeof import('./OwnReports').OwnReports }>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: what failed to load is tried again at each return
  useEffect(() => {
    if (userId === undefined || loaded) return
    // without network the page works without them
    import('./OwnReports').then(({ OwnReports: Own }) => setLoaded({ Own })).catch(() => undefined)
  }, [userId, returns])
  useDidReturn(() => {
    setUserId(session().userId)
    setReturns((n) => n + 1)
  })
  if (userId === undefined) return { own: null, hasReports: false }
  if (!loaded) return { own: null, hasReports: undefined }
  return { own: <loaded.Own key={userId} userId={userId} onReports={setHasReports} />, hasReports }
}

/** Content below the first screen; its code and data load after the first screen is drawn. */
export function BelowFold({
  games,
  status,
}: {
  games: readonly GameItem[] | undefined
  status: OpenPayStatus | undefined
}) {
  const blocks = useBlocks()
  const { counts, latest, news } = blocks
  const { own, hasReports } = useOwnReports()
  const daily = useDailyCoupon(isForSale(status))
  // a server that has just started has no valuations yet
  useDidReturn(() => latest.data?.length === 0 && void latest.reload())
  usePullDownRefresh(() => void Promise.all(Object.values(blocks).map((block) => block.reload())))
  // the coupon is the topmost block: wait for it, so that it does not push others down
  if (daily.loading) return <BelowFoldPlaceholder />
  return (
    <>
      <View>{daily.coupon ? <DailyCoupon coupon={daily.coupon} /> : null}</View>
      <View>{own}</View>
      <Links coupons={isForSale(status)} />
      <View>
        <LatestValuations load={latest} />
      </View>
      <View>
        <Statistics load={counts} list={statistics(counts.data)} />
      </View>
      <View>
        <Accuracy games={games} />
      </View>
      <View>
        <Block title={copy.news} more='news' load={news} row={(one) => <NewsLine key={one.id} article={one} />} />
      </View>
      {/* the user's reports bring the market of their own game */}
      {hasReports === false ? <PopularMarket gameId={games?.[0]?.gameId} /> : null}
      <Reasons />
      <View className='home__legal'>{copy.disclaimer}</View>
    </>
  )
}
