import { View } from '@tarojs/components'
import type { ReportCard } from '@/contract/types'
import { copy } from '../copy'
import { Samples } from './Samples'
import './Hero.scss'

/** Headline, and what a valuation of an account looks like. */
export function Hero({ samples, all }: { samples: readonly ReportCard[] | undefined; all: boolean }) {
  return (
    <>
      <View className='home-hero'>
        <View className='home-hero__mark' />
        <View className='home-hero__head'>{copy.headline}</View>
      </View>
      <Samples cards={samples} all={all} />
    </>
  )
}
