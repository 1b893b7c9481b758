/**
 * Renders real pages with Taro 4's runtime in jsdom. `@tarojs/test-utils-react` 0.1.1 gives mount, queries, fireEvent
 * and act; its createApp() calls Taro 3's createRouter(app, config, framework), so pages are opened here without a
 * router, and Taro's page hooks (useLoad, useDidShow, useRouter, …) still work.
 */
import { createReactApp } from '@tarojs/plugin-framework-react/dist/runtime'
import { createPageConfig } from '@tarojs/runtime'
import TestUtils from '@tarojs/test-utils-react'
import type { ComponentType, PropsWithChildren } from 'react'
import * as React from 'react'
import ReactDOM from 'react-dom/client'

/** mount, queries, fireEvent, act */
export const kit = new TestUtils()

interface AppInstance {
  onLaunch(options: { path: string; query: Record<string, string> }): void
}
interface PageInstance {
  onLoad(query: Record<string, string>, mounted: () => void): void
  onShow(): void
  onHide(): void
  onUnload(): void
  onPullDownRefresh?(): void
  onShareAppMessage?(from: object): unknown
  onShareTimeline?(): unknown
}

let opened: PageInstance | undefined

const Plain = ({ children }: PropsWithChildren) => children

/** React's act around Taro's runtime; the kit's own flag only covers what happens inside its act(). */
export async function act(work: () => void | Promise<void>) {
  const g = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }
  const was = g.IS_REACT_ACT_ENVIRONMENT
  g.IS_REACT_ACT_ENVIRONMENT = true
  try {
    await React.act(async () => {
      await work()
    })
  } finally {
    g.IS_REACT_ACT_ENVIRONMENT = was
  }
}

/** Runs due promises and effects inside act (real timers). @param ms to wait for timers */
export const flush = (ms = 0) => act(() => new Promise<void>((resolve) => void setTimeout(resolve, ms)))

/**
 * Opens a page as Taro does (launch, load, show), after closing the previous one. `query` is given undecoded, as by both runtimes.
 * The page object answers to show, hide and unload.
 */
export async function openPage(Page: ComponentType, path: string, query: Record<string, string> = {}) {
  await act(() => opened?.onUnload())
  document.body.innerHTML = '<div id="app"></div>'
  const config = { appId: 'app', pages: [path], window: {} }
  const app = createReactApp(
    Plain as never,
    React as never,
    ReactDOM as never,
    config as never,
  ) as unknown as AppInstance
  await act(() => app.onLaunch({ path, query }))
  const page = createPageConfig(Page as never, path, {}, {}) as unknown as PageInstance
  opened = page
  // not awaited inside act: React queues the mount until act returns
  let mounted: Promise<void> = Promise.resolve()
  await act(() => {
    mounted = new Promise((resolve) => page.onLoad(query, resolve))
  })
  await mounted
  await act(() => page.onShow())
  return {
    show: () => act(() => page.onShow()),
    /** The share data the host receives from the page; undefined without a share hook. */
    share: () => page.onShareAppMessage?.({ from: 'menu' }),
    shareMoment: () => page.onShareTimeline?.(),
    hide: () => act(() => page.onHide()),
    pullDown: () => act(() => page.onPullDownRefresh?.()),
    unload: () =>
      act(() => {
        opened = undefined
        page.onUnload()
      }),
  }
}

/** Mounts a component that only runs a hook; `result.current` is its latest result. */
export async function renderHook<T>(useHook: () => T) {
  const result = { current: undefined as unknown as T }
  const Host = () => {
    result.current = useHook()
    return null
  }
  await kit.mount(Host)
  return result
}
