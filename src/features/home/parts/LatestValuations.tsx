import { ScrollView, View } from '@tarojs/components'
import type { Load } from '@/api/useLoad'
import { estimate } from '@/contract/format'
import type { TickerOrder } from '@/contract/types'
import { Card } from '@/ui/Card/Card'
import { copy } from '../copy'
import './LatestValuations.scss'

/** Latest valuations of users who agreed to be shown; scrolled by hand, without animation. */
export function LatestValuations({
  load: { data: list = [] },
  total,
}: {
  load: Load<TickerOrder[]>
  total?: number | undefined
}) {
  if (list.length === 0) return null
  return (
    <Card title={copy.latest} extra={copy.total(total)} flush>
      <ScrollView scrollX className='home-latest' enhanced showScrollbar={false}>
        {list.map(({ nickMasked, minutesAgo, priceFen, gameName }) => (
          <View key={`${nickMasked}${minutesAgo}${priceFen}`} className='home-latest__one'>
            <View className='home-latest__price'>{estimate(priceFen)}</View>
            <View className='home-latest__note'>{gameName}</View>
          </View>
        ))}
      </ScrollView>
    </Card>
  )
}
