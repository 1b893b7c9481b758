import { ScrollView, View } from '@tarojs/components'
import type { Load } from '@/api/useLoad'
import { estimate, minutesAgo } from '@/contract/format'
import type { TickerOrder } from '@/contract/types'
import { copy } from '../copy'
import { BlockError } from './BlockError'
import './LatestValuations.scss'

/** Latest valuations of users who agreed to be shown; scrolled by hand, without animation. */
export function LatestValuations({ load: { data: list, error, loading, reload } }: { load: Load<TickerOrder[]> }) {
  if (!list) return error && !loading ? <BlockError reason={error.msg} onRetry={() => void reload()} /> : null
  if (list.length === 0) return null
  return (
    <View className='home-latest'>
      <View className='home-latest__title'>{copy.latest}</View>
      <ScrollView scrollX className='home-latest__row' enhanced showScrollbar={false}>
        {list.map((one) => (
          <View key={`${one.nickMasked}${one.minutesAgo}${one.priceFen}`} className='home-latest__card'>
            <View className='home-latest__price'>{estimate(one.priceFen)}</View>
            <View className='home-latest__note'>{one.gameName}</View>
            <View className='home-latest__note'>{`${one.nickMasked} · ${minutesAgo(one.minutesAgo)}`}</View>
          </View>
        ))}
      </ScrollView>
    </View>
  )
}
