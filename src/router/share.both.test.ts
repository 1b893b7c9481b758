import { fakeStorage } from '@/platform/storage/fake'
import { dispatch, startSession } from '@/session/store'
import { buildUrl } from './params'
import { type RouteName, routes } from './routes'
import { shareOf } from './share'

const REPORT = '/pages/evaluation/report/index'
const NEWS = '/pagesA/pages/home/news/index'
const base = API_BASE || 'http://localhost'
const imageUrl = `${base}/share.png`
const home = { title: '游戏账号估价专家', path: '/pages/home/index', imageUrl }
const share = { title: '估价报告', shareTitle: '邀请您查看估价报告', image: 'https://x/y.png' }

it('spec §1: a report is shared with its title, and with image and url of the share data', () => {
  const url = `https://h5.example${REPORT}?reportNo=R1&shareToken=s&utm=1`
  expect(shareOf('report', `${REPORT}?orderId=o1`, { ...share, url })).toEqual({
    title: '邀请您查看估价报告',
    path: `${REPORT}?reportNo=R1&shareToken=s`,
    imageUrl: 'https://x/y.png',
  })
})

it('a page without a picture of its own gets the one the server names, in the iOS app the one for it', () => {
  startSession(fakeStorage())
  const full = { ios: 'https://cdn.example/ios.png', share: 'https://cdn.example/share.png' }
  dispatch({ type: 'defaultImagesLoaded', ...full })
  expect(shareOf('news', NEWS, undefined).imageUrl).toBe(full.share)
  dispatch({ type: 'launched', platform: 'ios' })
  expect(shareOf('news', NEWS, undefined).imageUrl).toBe(full.ios)
  expect(shareOf('home', '/pages/home/index', undefined).imageUrl).toBe(full.ios)
  dispatch({ type: 'defaultImagesLoaded', ios: '/share.png' })
  expect(shareOf('news', NEWS, undefined).imageUrl).toBe(imageUrl)
  expect(shareOf('news', NEWS, { title: '文', image: 'https://x/y.png' }).imageUrl).toBe('https://x/y.png')
  startSession(fakeStorage())
})

it('a page behind the login is never given away by its own address', () => {
  expect(shareOf('report', `${REPORT}?orderId=o1`, undefined)).toEqual(home)
  expect(shareOf('report', `${REPORT}?orderId=o1`, share)).toEqual(home)
  expect(shareOf('report', `${REPORT}?orderId=o1`, { ...share, url: 'https://evil.example/x' })).toEqual(home)
})

it('an open page is shared as it is, a login page is not', () => {
  expect(shareOf('news', `${NEWS}?type=GUIDE`, undefined)).toEqual({
    title: '游戏账号资讯和攻略',
    path: `${NEWS}?type=GUIDE`,
    imageUrl,
  })
  expect(shareOf('home', '/pages/home/index', undefined)).toEqual(home)
  expect(shareOf('loginWx', '/pagesA/pages/login/wx/index?redirect=%2Fpages%2Fmine%2Findex', undefined)).toEqual(home)
})

it('every page has the product’s picture, never a look at the page', () => {
  const featured = '/pages/evaluation/report/highQuality'
  expect(shareOf('reportHighQuality', `${featured}?gameId=hok`, undefined)).toEqual({
    title: '看看别人的账号值多少：优秀估价报告',
    path: `${featured}?gameId=hok`,
    imageUrl,
  })
  for (const name of Object.keys(routes) as RouteName[])
    expect(shareOf(name, buildUrl(name), undefined).imageUrl).toBe(imageUrl)
})
