import { View } from '@tarojs/components'
import { usePullDownRefresh } from '@tarojs/taro'
import { useCall } from '@/api/useCall'
import { isForSale } from '@/contract/sale'
import type { GameItem, OpenPayStatus } from '@/contract/types'
import { buildUrl } from '@/router/params'
import { useDidReturn } from '@/router/useDidReturn'
import { Icon } from '@/ui/Icon/Icon'
import { Pressable } from '@/ui/Pressable/Pressable'
import { copy } from '../copy'
import { accuracyText, MIN_SHOWN_COUNT } from '../model'
import { BelowFoldPlaceholder } from './BelowFoldPlaceholder'
import { DailyCoupon, useDailyCoupon } from './DailyCoupon'
import { LatestValuations } from './LatestValuations'
import './BelowFold.scss'

/** How far prices are off, in one sentence with a picture, and a link to the figures. */
export function Accuracy({ games }: { games: readonly GameItem[] | undefined }) {
  const text = accuracyText(games)
  if (text === undefined) return null
  return (
    <Pressable className='home-accuracy' role='link' href={buildUrl('article', { key: 'ACCURACY' })}>
      <View className='home-accuracy__picture' />
      <View className='home-accuracy__text'>{text}</View>
      <Icon name='chevron-right' size='s' />
    </Pressable>
  )
}

/** Links to other pages; `coupons`: only where payments are enabled. */
export function Links({ coupons }: { coupons: boolean }) {
  return (
    <View className='home-links'>
      {copy.links
        .filter(({ to }) => coupons || to !== 'couponCenter')
        .map(({ text, to }) => (
          <Pressable key={to} className='home-link' role='link' href={buildUrl(to)}>
            {text}
          </Pressable>
        ))}
    </View>
  )
}

interface Props {
  games: readonly GameItem[] | undefined
  status: OpenPayStatus | undefined
}

/** Content below the first screen; its code and data load after the first screen is drawn. */
export function BelowFold({ games, status }: Props) {
  const counts = useCall('app', 'homeDataCount', {})
  const latest = useCall('app', 'lastFifteenOrder', {})
  const daily = useDailyCoupon(isForSale(status))
  // a server that has just started has no valuations yet
  useDidReturn(() => latest.data?.length === 0 && void latest.reload())
  usePullDownRefresh(() => void Promise.all([counts.reload(), latest.reload()]))
  // the coupon is the topmost block: wait for it, so that it does not push others down
  if (daily.loading) return <BelowFoldPlaceholder />
  const { reports = 0 } = counts.data ?? {}
  return (
    <>
      <View>{daily.coupon ? <DailyCoupon coupon={daily.coupon} /> : null}</View>
      <View>
        <LatestValuations load={latest} total={reports >= MIN_SHOWN_COUNT ? reports : undefined} />
      </View>
      <Accuracy games={games} />
      <Links coupons={isForSale(status)} />
      <View className='home__legal'>{copy.disclaimer}</View>
    </>
  )
}
