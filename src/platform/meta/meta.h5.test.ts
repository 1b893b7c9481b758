import type { Meta } from './port'

type Said = [name: string, data: Record<string, string>]
type Answer = (answer: { err_msg: string }) => void

const page = { title: '估价报告', description: '王者荣耀 · 安卓QQ' }
const share = { title: '邀请您查看估价报告', path: '/pages/evaluation/report/index?reportNo=GZ1&shareToken=t1' }
const flush = () => new Promise((resolve) => setTimeout(resolve))

/** The app as WeChat opens it on one of its phones; both are as new as after loading. */
function open(phone: string, status = 200) {
  const said: Said[] = []
  const signed: string[] = []
  jest.spyOn(navigator, 'userAgent', 'get').mockReturnValue(`Mozilla/5.0 (${phone}) MicroMessenger/8.0.68`)
  const invoke = (name: string, data: Record<string, string>, done: Answer) => {
    said.push([name, data])
    done({ err_msg: `${name}:ok` })
  }
  const getEntriesByType = () => [{ name: 'http://localhost/entry?a=1#b' }]
  Object.assign(window, { WeixinJSBridge: { invoke }, jWeixin: undefined })
  Object.assign(performance, { getEntriesByType })
  Object.assign(window, {
    // of `wechat.ts`, which runs before the network API is loaded
    async fetch(url: string) {
      signed.push(decodeURIComponent(url.split('url=')[1] ?? ''))
      const answer = { appId: 'wx1', nonceStr: 'n', timestamp: 1700000000, signature: `s${signed.length}` }
      return { ok: status === 200, json: async () => answer }
    },
  })
  jest.resetModules()
  const { set } = require('.').meta as Meta
  const { share: host } = require('../share')
  return {
    said,
    signed,
    set,
    menu: () => host.menu() as boolean,
    shares: () => said.filter(([name]) => name === 'updateAppMessageShareData'),
  }
}

it('passes the share data of the visible page to WeChat, signed for that page', async () => {
  window.history.replaceState(null, '', '/pages/evaluation/report/index?orderId=7')
  const { said, signed, set, menu } = open('Linux; Android 14')
  expect(menu()).toBe(false)
  set(page, share)
  await flush()
  expect(signed).toEqual(['http://localhost/pages/evaluation/report/index?orderId=7'])
  const proof = { appId: 'wx1', verifyTimestamp: '1700000000', verifyNonceStr: 'n', verifySignature: 's1' }
  const link = 'http://localhost/pages/evaluation/report/index?reportNo=GZ1&shareToken=t1'
  const imgUrl = 'http://localhost/share.png'
  expect(menu()).toBe(true)
  expect(said[0]).toEqual(['preVerifyJSAPI', expect.objectContaining(proof)])
  expect(said.filter(([name]) => name.endsWith('ShareData'))).toEqual([
    [
      'updateAppMessageShareData',
      expect.objectContaining({ title: share.title, desc: page.description, link, imgUrl }),
    ],
    ['updateTimelineShareData', expect.objectContaining({ title: share.title, link, imgUrl })],
  ])
})

it('the next page is signed again and shares itself; on iOS all are signed by the address WeChat opened', async () => {
  for (const [phone, pages] of [
    ['Linux; Android 14', ['http://localhost/a', 'http://localhost/b']],
    ['iPhone', ['http://localhost/entry?a=1']],
  ] as const) {
    const { signed, set, shares } = open(phone)
    for (const path of ['/a', '/b']) {
      window.history.replaceState(null, '', path)
      set(page, { title: path, path })
      await flush()
    }
    expect(signed).toEqual(pages)
    expect(shares().map(([, { title }]) => title)).toEqual(['/a', '/b'])
  }
})

it('where the host gives no signature, and in every other browser, WeChat is asked for nothing', async () => {
  const refused = open('iPhone', 404)
  refused.set(page, share)
  await flush()
  expect([refused.signed.length, refused.said, refused.menu()]).toEqual([1, [], false])
  const other = open('iPhone')
  jest.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone) Safari')
  other.set(page, share)
  await flush()
  expect([other.signed, other.said]).toEqual([[], []])
})
