import { View } from '@tarojs/components'
import type { ReactNode } from 'react'
import type { Load } from '@/api/useLoad'
import type { Banner as BannerData, GameItem, OpenPayStatus, ReportCard } from '@/contract/types'
import { Banner } from './parts/Banner'
import { Hero } from './parts/Hero'
import { HotGames } from './parts/HotGames'

interface Props {
  hot: Load<GameItem[]>
  banners: readonly BannerData[] | undefined
  /** featured reports, one of each game */
  samples: readonly ReportCard[] | undefined
  status: OpenPayStatus | undefined
  /** a form begun earlier */
  draft: ReactNode
  /** the user's newest report, instead of the samples once there is one */
  own?: ReactNode
  hasOwn?: boolean
  /** content below the first screen */
  more?: ReactNode
}

/** Presentational home page, rendered by the app and, its first screen, by the server (src/ssr). Loads no data. */
export function HomeView({ hot, banners, samples, status, draft, own, hasOwn = false, more }: Props) {
  // each block has its own container, so that the mini-program updates one block instead of the whole page
  return (
    <View className='home'>
      {draft}
      <Hero samples={samples} own={own} hasOwn={hasOwn} />
      <HotGames load={hot} status={status} />
      <View>
        <Banner all={banners} status={status} />
      </View>
      {more}
    </View>
  )
}
