import { fakeStorage } from '@/platform/storage/fake'
import { page } from '@/router/page'
import { startSession } from '@/session/store'
import { fakeServer, Refused } from '../../../test/fakes/api'
import { shown, tap, until, untilShown } from '../../../test/fakes/screen'
import { openPage } from '../../../test/fakes/taro'
import { WebScreen } from './WebScreen'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())

const asked: { url: string; how?: RequestInit }[] = []
/** whether pages answer */
let reachable = true
beforeEach(() => {
  asked.length = 0
  reachable = true
  startSession(fakeStorage())
  globalThis.fetch = async (url, how) => {
    asked.push({ url: String(url), how })
    if (!reachable) throw new TypeError('Failed to fetch')
    return { ok: true } as Response
  }
})

async function open(url: string, webDomains: string[] | null = ['pvp.qq.com']) {
  const server = fakeServer({
    app: {
      openPayStatus() {
        if (!webDomains) throw new Refused(500, 'INTERNAL_ERROR')
        return { pay: 'NORMAL', help: false, ad: false, manual: true, webDomains }
      },
    },
  })
  await openPage(page('webview', WebScreen), '/pages/home/webview/index', { url: encodeURIComponent(url) })
  return server
}
const frames = () => document.querySelectorAll('taro-web-view-core').length

it("a page of the server's list is shown, with its name and the way out under it", async () => {
  await open('https://pvp.qq.com/rules')
  await until(() => frames() === 1, 'the page')
  await untilShown('pvp.qq.com 的网页')
  expect(asked).toEqual([
    { url: 'https://pvp.qq.com/rules', how: { method: 'HEAD', mode: 'no-cors', credentials: 'omit' } },
  ])
})

it.each([
  ['what the list does not have', 'https://evil.test/', ['pvp.qq.com'], '即将离开'],
  ['anything while the list is not known', 'https://pvp.qq.com/', null, '即将离开'],
  ['anything where nothing is listed', 'https://pvp.qq.com/', [], '即将离开'],
  ['what is no page', 'javascript:alert(1)', ['pvp.qq.com'], '链接无效'],
  ['a name that hides another', 'https://pvp.qq.com@evil.test/', ['pvp.qq.com'], '链接无效'],
])('%s is named, never shown', async (_what, url, list, words) => {
  await open(url, list)
  await untilShown(words)
  expect([frames(), asked]).toEqual([0, []])
  expect(shown()).toContain('复制链接')
})

it('our own pages need nobody; one that does not answer can be tried again', async () => {
  reachable = false
  const server = await open(`${location.origin}/collector`)
  await untilShown('网页打开失败')
  reachable = true
  await tap('点击重试')
  await until(() => frames() === 1, 'the page')
  expect(server.seen).toEqual([])
})
