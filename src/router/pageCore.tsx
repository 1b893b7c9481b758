import { useDidShow, useRouter, useShareAppMessage, useShareTimeline } from '@tarojs/taro'
import { useAtomValue } from 'jotai'
import { type ComponentType, type PropsWithChildren, useEffect, useMemo, useRef, useState } from 'react'
import { createAbortableSignal } from '@/lib/abortableSignal'
import { device } from '@/platform/device'
import { meta } from '@/platform/meta'
import type { PageMeta } from '@/platform/meta/port'
import { appStateAtom } from '@/session/store'
import { Page } from '@/ui/Page/Page'
import { TabBar, type TabIndex } from '@/ui/TabBar/TabBar'
import { ErrorBoundary } from './ErrorBoundary'
import { FirstLaunch } from './FirstLaunch'
import { defaultMeta } from './meta'
import { backUrlAfterReload, hasBack, isAllowed, nav, pageShown } from './nav'
import { OfflineBar } from './OfflineBar'
import { PageContext } from './pageContext'
import { buildUrl, readParams } from './params'
import { type ParamsOf, type RouteDef, type RouteName, routes, tabs } from './routes'
import { isShareable, shareOf } from './share'
import { tabParamsAtom } from './tabParams'

export interface ScreenProps<N extends RouteName> {
  params: ParamsOf<N>
}

/** Parameters of this page: from its URL, for tabs from the latest `nav.tab`. */
function usePageParams<N extends RouteName>(name: N): ParamsOf<N> {
  const router = useRouter()
  const own = useMemo(() => readParams(name, router?.params ?? {}), [name, router])
  return (useAtomValue(tabParamsAtom)[name] as ParamsOf<N> | undefined) ?? own
}

/** Sets the page's title and share preview on every show. */
function usePageLifecycle(name: RouteName, url: string, title: string | undefined) {
  const [signal] = useState(createAbortableSignal)
  const pageMeta = useRef<PageMeta>()
  const address = useRef(url)
  address.current = url
  const share = useRef(() => shareOf(name, address.current, pageMeta.current)).current
  const onShow = useRef(() => {
    const own = { ...defaultMeta(name), ...(title && { title }) }
    meta.set(pageMeta.current ?? own, share())
  }).current
  useEffect(() => () => signal.abort(), [signal])
  const context = useMemo(
    () => ({
      signal,
      setMeta(next: PageMeta | undefined) {
        pageMeta.current = next
        onShow()
      },
    }),
    [signal, onShow],
  )
  useShareAppMessage(() => {
    const now = share()
    const made = pageMeta.current?.makeShare?.()
    if (!made) return now
    const promise = made.then(
      (own) => shareOf(name, address.current, own),
      () => now,
    )
    // the host waits three seconds for the promise
    return { ...now, promise }
  })
  useShareTimeline(() => {
    const { title, path, imageUrl } = share()
    // the host shares this page: only the query can be set
    return { title, query: path.split('?')[1] ?? '', imageUrl }
  })
  return { context, onShow }
}

export interface PageOptions<N extends RouteName> {
  /** Overrides the route table's title. */
  title?: string
  /** Hides the title bar unless the host's button needs its space or there is a page to go back to. */
  bare?: (params: ScreenProps<N>['params']) => boolean
  /** As wide as two columns where the window has room for them. */
  wide?: true
  /** Title that depends on the page's parameters; also set as the host's title, for pages under the host's own bar. */
  titleOf?: (params: ScreenProps<N>['params']) => string | undefined
}

function Tabs({ selected }: { selected: TabIndex }) {
  const select = (index: TabIndex) => {
    const name = tabs[index]
    if (name && index !== selected) void nav.tab(name)
  }
  return <TabBar selected={selected} onSelect={select} bottom={device.frame().bottom} />
}

interface FrameProps extends Pick<PageOptions<RouteName>, 'wide'> {
  name: RouteName
  title: string
  bare: boolean
}

/** ui/Page with data of the route, the stack and the user's settings. */
function Frame({ name, title, bare, wide, children }: PropsWithChildren<FrameProps>) {
  const { textSize, reduceMotion } = useAtomValue(appStateAtom)
  const { tab }: RouteDef = routes[name]
  // computed once: the stack below a page does not change while it exists
  const [first] = useState(() => !hasBack() && !backUrlAfterReload())
  const lead = first ? { home: buildUrl('home') } : { onBack: () => void nav.back() }
  const frame = device.frame()
  return (
    <Page
      frame={frame}
      title={title}
      bare={bare && first && frame.capsule === undefined}
      wide={wide}
      textSize={textSize}
      reduceMotion={reduceMotion}
      tabBar={tab !== undefined && <Tabs selected={tab} />}
      {...(tab === undefined && lead)}
      under={<OfflineBar />}
    >
      {children}
      <FirstLaunch name={name} />
    </Page>
  )
}

/**
 * Makes a screen a page: frame, guard (second check, for pages the host opened without `nav`), parameters, title,
 * error boundary. `export default page('report', ReportScreen)`.
 */
export function page<N extends RouteName>(
  name: N,
  Screen: ComponentType<ScreenProps<N>>,
  { title = routes[name].title, titleOf, bare, wide }: PageOptions<N> = {},
) {
  function PageRoot() {
    const params = usePageParams(name)
    const url = buildUrl(name, params)
    const [allowed, setAllowed] = useState(() => isAllowed(url))
    const own = titleOf?.(params)
    const { context, onShow } = usePageLifecycle(name, url, own)
    useDidShow(() => {
      const admitted = nav.admit(url)
      setAllowed(admitted)
      if (!admitted) return
      pageShown(url)
      onShow()
    })
    return (
      <PageContext.Provider value={context}>
        <Frame name={name} title={own ?? title} bare={bare?.(params) ?? false} wide={wide}>
          <ErrorBoundary>{allowed && <Screen params={params} />}</ErrorBoundary>
        </Frame>
      </PageContext.Provider>
    )
  }
  PageRoot.displayName = `page(${name})`
  // Taro enables the host's share menu for pages with this mark; a share to Moments opens the page without login
  PageRoot.enableShareAppMessage = isShareable(name)
  PageRoot.enableShareTimeline = isShareable(name) && shareOf(name, buildUrl(name), undefined).path === buildUrl(name)
  return PageRoot
}
