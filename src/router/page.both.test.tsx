import { useEffect, useState } from 'react'
import { fakeStorage } from '@/platform/storage/fake'
import { appState, dispatch, startSession } from '@/session/store'
import { navigations } from '../../test/fakes/navigation'
import { act, openPage } from '../../test/fakes/taro'
import { homeMeta } from './meta'
import { currentUrl } from './nav'
import { page, type ScreenProps } from './page'
import { usePageMeta, usePageSignal } from './pageContext'

jest.mock('@tarojs/taro', () => require('../../test/fakes/navigation').fakeTaro())

const Screen = ({ params }: ScreenProps<'report'>) => <div id='s'>{JSON.stringify(params)}</div>
const shown = () => document.querySelector('#s')?.textContent

beforeEach(() => {
  navigations.length = 0
  startSession(fakeStorage())
  jest.spyOn(console, 'error').mockImplementation(() => undefined)
})
afterEach(() => jest.restoreAllMocks())

it('gives a screen its declared parameters, decoded', async () => {
  dispatch({ type: 'loggedIn', token: 't', userId: 'u', newUser: false })
  await openPage(page('report', Screen), '/pages/evaluation/report/index', { orderId: '%E4%BC%B0', stamp: '3', x: '1' })
  expect(shown()).toBe('{"orderId":"估"}')
  expect(navigations).toEqual([])
})

it('never draws a protected screen without login, and sends to the login page with the way back', async () => {
  await openPage(page('report', Screen), '/pages/evaluation/report/index', { orderId: '7' })
  expect(shown()).toBeUndefined()
  const login = TEST_PLATFORM === 'weapp' ? '/pagesA/pages/login/wx/index' : '/pagesA/pages/login/h5/index'
  expect(navigations).toEqual([
    `replace ${login}?redirect=${encodeURIComponent('/pages/evaluation/report/index?orderId=7')}`,
  ])
})

it('asks the guard again on every show: after a logout elsewhere no data of the user stays', async () => {
  dispatch({ type: 'loggedIn', token: 't', userId: 'u', newUser: false })
  const p = await openPage(page('report', Screen), '/pages/evaluation/report/index', { orderId: '7' })
  expect(shown()).toBe('{"orderId":"7"}')
  await p.hide()
  dispatch({ type: 'loggedOut' })
  await p.show()
  expect(shown()).toBeUndefined()
  expect(navigations).toHaveLength(1)
})

it('remembers where the user came from on every navigation', async () => {
  await openPage(
    page('home', () => null),
    '/pages/home/index',
  )
  await openPage(
    page('news', () => null),
    '/pagesA/pages/home/news/index',
    { type: 'GUIDE' },
  )
  expect(appState().lastFromPath).toBe('/pages/home/index')
  expect(currentUrl()).toBe('/pagesA/pages/home/news/index?type=GUIDE')
})

it('keeps the frame when a screen breaks, and starts it again', async () => {
  let broken = true
  const Fragile = () => {
    if (broken) throw new Error('boom')
    return <div id='s'>fine</div>
  }
  await openPage(page('home', Fragile), '/pages/home/index')
  expect(document.body.textContent).toContain('点击重试')
  broken = false
  const retry = [...document.querySelectorAll('*')].filter((el) => el.textContent === '点击重试').pop()
  await act(() => void retry?.dispatchEvent(new MouseEvent('click', { bubbles: true })))
  expect(shown()).toBe('fine')
})

it('aborts the signal of a page that is left for good, not of one that is only hidden', async () => {
  const ended: boolean[] = []
  const Screen = () => {
    const signal = usePageSignal()
    const [, draw] = useState(0)
    useEffect(() => void signal.onAbort(() => ended.push(true)), [signal])
    useEffect(() => draw(1), [])
    return null
  }
  const p = await openPage(page('home', Screen), '/pages/home/index')
  await p.hide()
  expect(ended).toEqual([])
  await p.unload()
  expect(ended).toEqual([true])
})

it("answers the host's share buttons: what the screen has set, else the page, a moment only where nobody must log in", async () => {
  const News = () => {
    usePageMeta({
      title: '资讯',
      shareTitle: '防沉迷新规',
      image: 'https://x/y.png',
      url: '/pagesA/pages/home/news/detail?id=7',
    })
    return null
  }
  const p = await openPage(page('newsDetail', News), '/pagesA/pages/home/news/detail', { id: '7' })
  const imageUrl = 'https://x/y.png'
  expect(p.share()).toEqual({ title: '防沉迷新规', path: '/pagesA/pages/home/news/detail?id=7', imageUrl })
  expect(p.shareMoment()).toEqual({ title: '防沉迷新规', query: 'id=7', imageUrl })
  dispatch({ type: 'loggedIn', token: 't', userId: 'u', newUser: false })
  const own = await openPage(page('report', Screen), '/pages/evaluation/report/index', { orderId: '7' })
  expect(own.share()).toEqual({
    title: homeMeta.title,
    path: '/pages/home/index',
    imageUrl: 'http://localhost/share.png',
  })
  expect(own.shareMoment()).toBeUndefined()
})

if (TEST_PLATFORM === 'h5') {
  it('titles the document: home metadata on home, the table elsewhere, what the screen learns later', async () => {
    await openPage(
      page('home', () => null),
      '/pages/home/index',
    )
    expect(document.title).toBe(homeMeta.title)
    const News = () => {
      usePageMeta({ title: '三角洲行动 估价报告', image: 'https://x/y.png' })
      return null
    }
    await openPage(page('news', News), '/pagesA/pages/home/news/index')
    expect(document.title).toBe('三角洲行动 估价报告')
    expect(document.querySelector('meta[property="og:image"]')?.getAttribute('content')).toBe('https://x/y.png')
    await openPage(
      page('couponCenter', () => null),
      '/pagesA/pages/home/couponCenter/index',
    )
    expect(document.title).toBe('领券中心')
    const web = page('webview', () => null, { titleOf: ({ title }) => title })
    await openPage(web, '/pages/home/webview/index', { title: '上架平台' })
    expect([document.title, document.querySelector('.ui-nav__title')?.textContent]).toEqual(['上架平台', '上架平台'])
    // without a picture of its own, the host would use a screenshot of the page, prices included
    const image = document.querySelector('meta[property="og:image"]')?.getAttribute('content')
    expect(image).toBe('http://localhost/share.png')
  })
}
