import { View } from '@tarojs/components'
import type { MarketPage } from '@/contract/types'
import { nav } from '@/router/nav'
import { Icon } from '@/ui/Icon/Icon'
import { Pressable } from '@/ui/Pressable/Pressable'
import { copy } from '../copy'
import { marketText, weekHeights } from '../ownReports'
import './Market.scss'

/** Price index of a game; nothing with too few weeks. */
export function Market({ page }: { page: MarketPage }) {
  const text = marketText(page)
  if (!text) return null
  const title = copy.marketOf(page.gameName)
  return (
    <Pressable
      className='home-accuracy'
      role='link'
      label={`${title}，${text}`}
      onClick={() => void nav.to('news', { tab: 'market', gameId: page.gameId })}
    >
      <View className='home-market'>
        {weekHeights(page).map(({ at, height }) => (
          <View key={at} className='home-market__week' style={{ height: `${height}%` }} />
        ))}
      </View>
      <View className='home-accuracy__body'>
        <View className='home-accuracy__title'>{title}</View>
        <View className='home-accuracy__text'>{text}</View>
      </View>
      <Icon name='chevron-right' size='s' />
    </Pressable>
  )
}
