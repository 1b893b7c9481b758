import { View } from '@tarojs/components'
import { stopPullDownRefresh, usePullDownRefresh } from '@tarojs/taro'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useCall } from '@/api/useCall'
import type { Load } from '@/api/useLoad'
import { usePayStatusLoad } from '@/api/usePayStatus'
import { HOME_SAMPLES } from '@/contract/constants'
import { onBelowFoldVisible } from '@/platform/belowFold'
import { firstScreen } from '@/platform/firstScreen'
import { useDidReturn } from '@/router/useDidReturn'
import { drafts } from '@/session/drafts'
import { appState, session } from '@/session/store'
import { HomeView } from './HomeView'
import { BelowFoldPlaceholder } from './parts/BelowFoldPlaceholder'
import { ContinueDraft } from './parts/ContinueDraft'
import './HomeScreen.scss'

/** id of the placeholder for the content below the first screen */
const BELOW_FOLD_ID = 'home-rest'
/** ms until the code of the content below the first screen is loaded again */
const RETRY_DELAY_MS = 5000
const MAX_RETRIES = 3

/** ms the first response waits for the others, so that in the mini-program one setData shows them all */
const TOGETHER_MS = 500
const waiting: Load<never> = { loading: true, reload: async () => undefined }

/** Each block loads, fails and retries independently. */
function useBlocks() {
  const hot = useCall('evaluation', 'hotGame', {})
  const banner = useCall('app', 'banner', { place: 'HOME' })
  const samples = useCall('app', 'excellentReportList', HOME_SAMPLES)
  const status = usePayStatusLoad(appState().platform)
  return { hot, banner, samples, status }
}

/** Whether the blocks may be drawn: all first responses have arrived, or the first has waited long enough. */
function useTogether(loads: readonly Load<unknown>[]): boolean {
  const some = loads.some(({ loading }) => !loading)
  const [waited, setWaited] = useState(false)
  const drawn = useRef(false)
  drawn.current ||= waited || loads.every(({ loading }) => !loading)
  useEffect(() => {
    const timer = some && setTimeout(() => setWaited(true), TOGETHER_MS)
    return () => clearTimeout(timer || undefined)
  }, [some])
  return drawn.current
}

/** Loads the content below the first screen once that has been drawn and, in the mini-program, the user scrolls to it. */
function useBelowFold() {
  const [loaded, setLoaded] = useState<{ More: typeof import('./parts/BelowFold').BelowFold }>()
  useEffect(() => {
    let unmounted = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const request = async (left: number) => {
      try {
        const { BelowFold: More } = await import('./parts/BelowFold')
        if (!unmounted) setLoaded({ More })
      } catch {
        // the first screen works without the network
        if (left > 0 && !unmounted) timer = setTimeout(request, RETRY_DELAY_MS, left - 1)
      }
    }
    const stop = onBelowFoldVisible(BELOW_FOLD_ID, () => void request(MAX_RETRIES))
    return () => {
      unmounted = true
      stop()
      clearTimeout(timer)
    }
  }, [])
  return loaded
}

/**
 * The user's newest report. Guests do not load its code. The tab stays mounted while the user logs in, so it is looked at
 * again when the tab is shown again.
 */
function useOwnReports(): { own: ReactNode; hasReports: boolean } {
  const [userId, setUserId] = useState(() => session().userId)
  const [hasReports, setHasReports] = useState(false)
  const [loaded, setLoaded] = useState<{ Own: typeof import('./parts/OwnReports').OwnReports }>()
  useEffect(() => {
    if (userId === undefined) return
    // the page works without them
    import('./parts/OwnReports').then(({ OwnReports: Own }) => setLoaded({ Own })).catch(() => undefined)
  }, [userId])
  useDidReturn(() => setUserId(session().userId))
  if (userId === undefined || !loaded) return { own: null, hasReports: false }
  return { own: <loaded.Own key={userId} userId={userId} onReports={setHasReports} />, hasReports }
}

export function HomeScreen() {
  const blocks = useBlocks()
  const loaded = Object.values(blocks).every(({ loading }) => !loading)
  useEffect(() => {
    if (loaded) firstScreen.remove()
  }, [loaded])
  const together = useTogether(Object.values(blocks))
  const more = useBelowFold()
  const { own, hasReports } = useOwnReports()
  const [draft, setDraft] = useState(() => drafts.latest(session().userId))
  useDidReturn(() => {
    setDraft(drafts.latest(session().userId))
    // a server that has just started has no samples yet
    if (blocks.samples.data?.list.length === 0) void blocks.samples.reload()
  })
  usePullDownRefresh(async () => {
    await Promise.all(Object.values(blocks).map((block) => block.reload()))
    stopPullDownRefresh()
  })

  return (
    <HomeView
      hot={together ? blocks.hot : waiting}
      banners={together ? blocks.banner.data : undefined}
      samples={together ? blocks.samples.data?.list : undefined}
      status={together ? blocks.status.data : undefined}
      draft={draft ? <ContinueDraft draft={draft} /> : null}
      own={own}
      hasOwn={hasReports}
      more={
        <View id={BELOW_FOLD_ID}>
          {more ? <more.More games={blocks.hot.data} status={blocks.status.data} /> : <BelowFoldPlaceholder />}
        </View>
      }
    />
  )
}
