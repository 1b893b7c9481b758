import { fakeStorage } from '@/platform/storage/fake'
import { page } from '@/router/page'
import { sharedReport, unlockedReport } from '@/samples/report'
import { startSession } from '@/session/store'
import { fakeServer, Refused } from '../../../test/fakes/api'
import { navigations, stack } from '../../../test/fakes/navigation'
import { find, tap, until, untilShown } from '../../../test/fakes/screen'
import { openPage } from '../../../test/fakes/taro'
import { EmbedScreen, isEmbedded } from './EmbedScreen'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())

const PAGE = '/pages/evaluation/report/wxIframe'
/** Opened by somebody who is not signed in. */
async function read(shareToken: string, reportGet: () => typeof sharedReport = () => sharedReport) {
  navigations.length = 0
  startSession(fakeStorage())
  fakeServer({ evaluation: { reportGet } })
  const EmbedPage = page('reportWxIframe', EmbedScreen, { bare: isEmbedded })
  return openPage(EmbedPage, PAGE, { reportNo: sharedReport.reportNo, shareToken })
}

it('inside another site’s page no link leads away', async () => {
  await read('abc.def')
  await untilShown('报告信息')
  for (const way of ['返回', '回首页', '免费估我的号']) expect(find(way)).toBeUndefined()
})

it('a featured report has a next step, and a way back from wherever it was opened', async () => {
  const alone = await read('excellent')
  await untilShown('报告信息')
  expect(find('返回')).toBeUndefined()
  await tap('回首页')
  await until(() => navigations.length > 0, 'home')
  await alone.unload()
  stack.push('pages/evaluation/report/highQuality', 'pages/evaluation/report/wxIframe')
  try {
    await read('excellent')
    await untilShown('报告信息')
    await tap('免费估我的号')
    await until(() => navigations.length > 0, 'the choice of a game')
    await tap('返回')
    await until(() => navigations.length > 1, 'the list')
    expect(navigations[1]).toBe('back 1')
  } finally {
    stack.length = 0
  }
})

it('a shared report is read without a login, leads on, and is passed on by the same link', async () => {
  const { share } = await read('s1')
  await untilShown('好友分享的报告')
  expect(share()).toMatchObject({ path: `${PAGE}?reportNo=${sharedReport.reportNo}&shareToken=s1` })
  await tap('免费估我的号')
  await until(() => navigations.length > 0, 'the login before the choice of a game')
  expect(navigations).toEqual([expect.stringContaining('/pagesA/pages/login/h5/index')])
})

it('its owner finds the own report there', async () => {
  await read('s1', () => unlockedReport)
  await untilShown('怎样更值钱')
  expect(find('分享')).toBeDefined()
})

it('a withdrawn report says so and offers a next step', async () => {
  await read('s1', () => {
    throw new Refused(200, 'SHARE_REVOKED', '该分享已撤回')
  })
  await untilShown('对方已不再分享这份报告')
  expect(find('免费估我的号')).toBeDefined()
})
