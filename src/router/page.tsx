import { View } from '@tarojs/components'
import { useDidShow, useRouter } from '@tarojs/taro'
import { useAtomValue } from 'jotai'
import { type ComponentType, useEffect, useMemo, useRef, useState } from 'react'
import { createScope } from '@/lib/scope'
import { meta } from '@/platform/meta'
import type { PageMeta } from '@/platform/meta/port'
import { isLoggedIn } from '@/session/store'
import { ErrorBoundary } from './ErrorBoundary'
import { decide } from './guard'
import { defaultMeta } from './meta'
import { arrivedAt, nav } from './nav'
import { PageContext } from './pageContext'
import { buildUrl, readParams } from './params'
import type { ParamsOf, RouteName } from './routes'
import { tabParamsAtom } from './tabParams'

export interface ScreenProps<N extends RouteName> {
  params: ParamsOf<N>
}

/** Parameters of this page: those of its address, for tabs those of the newest `nav.tab`. */
function usePageParams<N extends RouteName>(name: N): ParamsOf<N> {
  const router = useRouter()
  const own = useMemo(() => readParams(name, router?.params ?? {}), [name, router])
  return (useAtomValue(tabParamsAtom)[name] as ParamsOf<N> | undefined) ?? own
}

/** Title and preview of the page, put in place on every show. */
function usePageLife(name: RouteName) {
  const [scope] = useState(createScope)
  const known = useRef<PageMeta>()
  const onShow = useRef(() => meta.set(known.current ?? defaultMeta(name))).current
  useEffect(() => () => scope.end(), [scope])
  const context = useMemo(
    () => ({
      scope,
      setMeta(next: PageMeta | undefined) {
        known.current = next
        onShow()
      },
    }),
    [scope, onShow],
  )
  return { context, onShow }
}

/**
 * Makes a screen a page: frame, guard (second asking, for what the host opened without `nav`), parameters, title,
 * error boundary. `export default page('report', ReportScreen)`.
 */
export function page<N extends RouteName>(name: N, Screen: ComponentType<ScreenProps<N>>) {
  function PageRoot() {
    const params = usePageParams(name)
    const url = buildUrl(name, params)
    const [allowed, setAllowed] = useState(() => decide(url, { loggedIn: isLoggedIn() }).kind === 'open')
    const { context, onShow } = usePageLife(name)
    useDidShow(() => {
      const open = decide(url, { loggedIn: isLoggedIn() }).kind === 'open'
      setAllowed(open)
      if (!open) {
        void nav.login(url, 'replace')
        return
      }
      arrivedAt(url)
      onShow()
    })
    return (
      <PageContext.Provider value={context}>
        <View>
          <ErrorBoundary>{allowed && <Screen params={params} />}</ErrorBoundary>
        </View>
      </PageContext.Provider>
    )
  }
  PageRoot.displayName = `page(${name})`
  return PageRoot
}
