import { View } from '@tarojs/components'
import type { ReactNode } from 'react'
import type { Load } from '@/api/useLoad'
import type { Banner, GameItem, OpenPayStatus, ReportCard } from '@/contract/types'
import { Banners } from './parts/Banners'
import { Entries } from './parts/Entries'
import { Hero } from './parts/Hero'
import { HotGames } from './parts/HotGames'

interface Props {
  hot: Load<GameItem[]>
  banner: Load<Banner[]>
  /** featured reports, one of each game */
  samples: readonly ReportCard[] | undefined
  status: OpenPayStatus | undefined
  /** a form begun earlier */
  draft: ReactNode
  /** content below the first screen */
  more?: ReactNode
  /** it has been drawn */
  hasMore?: boolean
  /** opens the game list; `find`: with the search focused */
  onChoose?: (find?: '1') => void
  /** an unavailable game was tapped */
  onDown?: (name: string) => void
}

/** Presentational home page, rendered by the app and, its first screen, by the server (src/ssr). Loads no data. */
export function HomeView({ hot, banner, samples, status, draft, more, hasMore = false, onChoose, onDown }: Props) {
  // each block has its own container, so that the mini-program updates one block instead of the whole page
  return (
    <View className='home'>
      {draft}
      <Hero samples={samples} all={hasMore} />
      <Entries status={status} />
      <HotGames load={hot} onChoose={onChoose} onDown={onDown} />
      <View>
        <Banners load={banner} status={status} />
      </View>
      {more}
    </View>
  )
}
