import { View } from '@tarojs/components'
import { stopPullDownRefresh, useDidShow, usePullDownRefresh } from '@tarojs/taro'
import { type ComponentType, useEffect, useState } from 'react'
import { api } from '@/api'
import { useLoad } from '@/api/useLoad'
import { APP_VERSION } from '@/contract/constants'
import { nav } from '@/router/nav'
import { drafts } from '@/session/drafts'
import { appState, isLoggedIn, session } from '@/session/store'
import { Banners } from './parts/Banners'
import { Continue } from './parts/Continue'
import { Entries } from './parts/Entries'
import { Hero } from './parts/Hero'
import { HotGames } from './parts/HotGames'
import './HomeScreen.scss'

/** ms: the first screen is drawn before the rest is begun */
const LATER = 100
/** ms between tries to get the code of the rest, and how many */
const AGAIN = 5000
const TRIES = 3

/** Choosing a game needs a login (spec §2); the valuation tab shows the same games without one. */
const open = (find?: '1') =>
  void (isLoggedIn() ? nav.to('evaluationChooseGame', find ? { find } : {}) : nav.tab('evaluation', { mode: 'AI' }))

/** Each block asks, fails and is asked again by itself. */
function useBlocks() {
  const hot = useLoad('hot', (scope) => api.evaluation.hotGame({}, { quiet: true, scope }))
  const banner = useLoad('banner', (scope) => api.app.banner({ place: 'HOME' }, { quiet: true, scope }))
  const status = useLoad('status', (scope) =>
    api.app.openPayStatus({ platform: appState().platform, version: APP_VERSION }, { quiet: true, scope }),
  )
  return { hot, banner, status }
}

/** What stands below the first screen, once that has been drawn. */
function useMore() {
  const [loaded, setLoaded] = useState<{ More: ComponentType }>()
  useEffect(() => {
    let gone = false
    const ask = async (left: number) => {
      try {
        const { More } = await import('./parts/More')
        if (!gone) setLoaded({ More })
      } catch {
        // a broken line: the first screen works without it
        if (left > 0 && !gone) timer = setTimeout(ask, AGAIN, left - 1)
      }
    }
    let timer = setTimeout(ask, LATER, TRIES)
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [])
  return loaded
}

export function HomeScreen() {
  const blocks = useBlocks()
  const more = useMore()
  const [draft, setDraft] = useState(() => drafts.latest(session().userId))
  useDidShow(() => setDraft(drafts.latest(session().userId)))
  usePullDownRefresh(async () => {
    await Promise.all(Object.values(blocks).map((block) => block.reload()))
    stopPullDownRefresh()
  })

  return (
    <View className='home'>
      <Hero onSearch={() => open('1')} />
      {draft ? <Continue draft={draft} /> : null}
      <Entries status={blocks.status.data} />
      <HotGames load={blocks.hot} onMore={() => open()} />
      <Banners load={blocks.banner} />
      {more ? <more.More /> : null}
    </View>
  )
}
