import { View } from '@tarojs/components'
import type { ReactNode } from 'react'
import type { Load } from '@/api/useLoad'
import type { Banner, GameItem, OpenPayStatus } from '@/contract/types'
import { Banners } from './parts/Banners'
import { Entries } from './parts/Entries'
import { Hero } from './parts/Hero'
import { HotGames } from './parts/HotGames'

interface Props {
  hot: Load<GameItem[]>
  banner: Load<Banner[]>
  status: OpenPayStatus | undefined
  /** a form begun earlier */
  draft: ReactNode
  /** what stands below the first screen */
  more?: ReactNode
  /** a game is to be chosen; `find`: by its name */
  onChoose?: (find?: '1') => void
  /** a game that is down was tapped */
  onDown?: (name: string) => void
}

/** Home as it is drawn, by the app and, its first screen, by the server (src/first): it asks nobody for anything. */
export function HomeView({ hot, banner, status, draft, more, onChoose, onDown }: Props) {
  // every block keeps a place of its own: the mini-program is handed a changed place, not the whole page
  return (
    <View className='home'>
      <Hero onSearch={onChoose && (() => onChoose('1'))} />
      {draft}
      <Entries status={status} />
      <HotGames load={hot} onMore={onChoose && (() => onChoose())} onDown={onDown} />
      <View>
        <Banners load={banner} status={status} />
      </View>
      {more}
    </View>
  )
}
