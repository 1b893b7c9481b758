import { View } from '@tarojs/components'
import { Icon } from '@/ui/Icon/Icon'
import { Tap } from '@/ui/Tap/Tap'
import { copy } from '../copy'
import { gamesUrl } from '../model'
import './Hero.scss'

/** Headline and entry to the game search. */
export function Hero({ onSearch }: { onSearch?: (() => void) | undefined }) {
  return (
    <View className='home-hero'>
      <View className='home-hero__head'>{copy.headline}</View>
      <View className='home-hero__sub'>{copy.subline}</View>
      <Tap className='home-search' href={gamesUrl('AI')} onClick={onSearch} label={copy.search}>
        <Icon name='search' />
        <View className='home-search__text'>{copy.search}</View>
      </Tap>
    </View>
  )
}
