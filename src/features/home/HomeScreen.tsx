import { View } from '@tarojs/components'
import { stopPullDownRefresh, useDidShow, usePullDownRefresh } from '@tarojs/taro'
import { useState } from 'react'
import { api } from '@/api'
import { useLoad } from '@/api/useLoad'
import { APP_VERSION } from '@/contract/constants'
import { nav } from '@/router/nav'
import { drafts } from '@/session/drafts'
import { appState, isLoggedIn, session } from '@/session/store'
import { copy } from './copy'
import { figures } from './model'
import { Continue } from './parts/Continue'
import { Entries } from './parts/Entries'
import { Hero } from './parts/Hero'
import { HotGames } from './parts/HotGames'
import { Latest } from './parts/Latest'
import { Figures, HowItWorks, Reasons } from './parts/Trust'
import './HomeScreen.scss'

/** Choosing a game needs a login (spec §2); the valuation tab shows the same games without one. */
const open = (find?: '1') =>
  void (isLoggedIn() ? nav.to('evaluationChooseGame', find ? { find } : {}) : nav.tab('evaluation', { mode: 'AI' }))

/** Each block asks, fails and is asked again by itself. */
function useBlocks() {
  const hot = useLoad('hot', (scope) => api.evaluation.hotGame({}, { quiet: true, scope }))
  const counts = useLoad('counts', (scope) => api.app.homeDataCount({}, { quiet: true, scope }))
  const latest = useLoad('latest', (scope) => api.app.lastFifteenOrder({}, { quiet: true, scope }))
  const status = useLoad('status', (scope) =>
    api.app.openPayStatus({ platform: appState().platform, version: APP_VERSION }, { quiet: true, scope }),
  )
  return { hot, counts, latest, status }
}

export function HomeScreen() {
  const blocks = useBlocks()
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
      <Latest list={blocks.latest.data ?? []} />
      <HowItWorks />
      <Reasons />
      <Figures list={figures(blocks.counts.data)} />
      <View className='home__legal'>{copy.disclaimer}</View>
    </View>
  )
}
