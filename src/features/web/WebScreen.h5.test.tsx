import type { AutoTask } from '@/contract/types'
import { fakeStorage } from '@/platform/storage/fake'
import { page } from '@/router/page'
import { dispatch, startSession } from '@/session/store'
import { fakeServer, Refused } from '../../../test/fakes/api'
import { navigations, stack } from '../../../test/fakes/navigation'
import { shown, tap, until, untilShown } from '../../../test/fakes/screen'
import { flush, openPage } from '../../../test/fakes/taro'
import { WebScreen, webTitle } from './WebScreen'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())

const PATH = '/pages/home/webview/index'
const asked: { url: string; how?: RequestInit }[] = []
/** whether pages answer */
let reachable = true
beforeEach(() => {
  asked.length = 0
  reachable = true
  navigations.length = 0
  stack.splice(0, stack.length, '/pages/evaluation/fillInInfo/rpaWebview', PATH)
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
  await openPage(page('webview', WebScreen), PATH, { url: encodeURIComponent(url) })
  return server
}
const frames = () => document.querySelectorAll('taro-web-view-core').length

it.each([
  ['of our own page is that of the link', `${location.origin}/help`, '帮助'],
  ['of a foreign page is its host', 'https://evil.example/x', 'evil.example'],
  ['of something that is not a link is the usual one', 'javascript:alert(1)', undefined],
])('the title %s', (_, url, title) => {
  expect(webTitle({ url, title: '帮助' })).toBe(title)
})

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

describe('the page where a collection is authorised', () => {
  const task = (status: AutoTask['status']): AutoTask => ({
    taskId: 't1',
    gameId: 'ys',
    status,
    progress: 0,
    step: '',
    steps: [],
    retryable: false,
    // longer than the time in which the api asks for the same thing once
    pollAfterMs: 350,
    expireAt: 0,
  })
  async function authorise(first: AutoTask['status']) {
    dispatch({ type: 'loggedIn', token: 't', userId: 'u1', newUser: false })
    const server = { status: first, asked: 0 }
    fakeServer({
      evaluation: {
        taskRecord() {
          server.asked++
          return task(server.status)
        },
      },
    })
    const url = encodeURIComponent(`${location.origin}/collector`)
    await openPage(page('webview', WebScreen), PATH, { url, taskId: 't1' })
    await until(() => frames() === 1, 'the page')
    await until(() => server.asked > 0, 'the first look at the collection')
    await flush()
    return server
  }
  /** The read has been looked at twice since. */
  const looked = (server: { asked: number }) => {
    const before = server.asked
    return until(() => server.asked > before + 1, 'another look')
  }

  it.each(['COLLECTING', 'EXPIRED'] as const)(
    'closes on its own, once, when the collection that waited is %s',
    async (status) => {
      const server = await authorise('WAIT_SCAN')
      server.status = 'SCANNED'
      await looked(server)
      expect(navigations).toEqual([])
      server.status = status
      await until(() => navigations.length > 0, 'the way back')
      await flush()
      expect(navigations).toEqual(['back 1'])
    },
  )

  it('stays open while a collection without a code is in progress', async () => {
    const server = await authorise('COLLECTING')
    await looked(server)
    expect(navigations).toEqual([])
    server.status = 'FAILED'
    await until(() => navigations.length > 0, 'the way back')
    expect(navigations).toEqual(['back 1'])
  })

  it('leads to the collection where no page lies under it', async () => {
    stack.splice(0, stack.length, PATH)
    await authorise('SUCCESS')
    await until(() => navigations.length > 0, 'the way on')
    expect(navigations).toEqual(['replace /pages/evaluation/fillInInfo/rpaWebview?taskId=t1'])
  })
})
