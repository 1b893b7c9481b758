import { readFileSync } from 'node:fs'
import type { FormConfig } from '@/contract/form/types'
import { fakeServer } from '../../../test/fakes/api'
import { config, setUpFillForm, show } from '../../../test/fakes/fill-form'
import { navigations } from '../../../test/fakes/navigation'
import { shown, tap, type, until, untilBox, untilGone, untilShown } from '../../../test/fakes/screen'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())

setUpFillForm()

const openManual = () => show('MANUAL')

it('who is not verified gets one step before the manual form, and no other button', async () => {
  let status: 'NONE' | 'PASSED' = 'NONE'
  fakeServer({
    evaluation: { gameConfig: () => config },
    user: { get: () => ({ realName: { status } }) as never },
    app: { openPayStatus: () => ({ pay: 'NORMAL', help: false, ad: false, manual: true }) },
  })
  const first = await openManual()
  await untilShown('人工估价需要实名认证，只需一次')
  expect(shown()).not.toContain('下一步')
  await tap('去认证')
  await until(() => navigations.length > 0, 'a move')
  expect(navigations[0]).toContain('/pagesA/pages/mine/realName/index')
  await first.unload()
  status = 'PASSED'
  await openManual()
  await untilShown('要拍到：个人主页')
  expect(shown()).not.toContain('需要实名认证')
})

it('the three steps of the manual form say all in 300 Chinese characters', async () => {
  const hok = JSON.parse(readFileSync('server/fixtures/games/hok.json', 'utf8')) as FormConfig
  fakeServer({
    evaluation: { gameConfig: () => hok },
    app: { openPayStatus: () => ({ pay: 'NORMAL', help: false, ad: false, manual: true }) },
  })
  await openManual()
  await untilShown('要拍到：个人主页')
  const characters = () => (shown().match(/\p{Script=Han}/gu) ?? []).length
  let all = characters()
  await tap('下一步')
  await untilShown('截图可能不够')
  await tap('不补了')
  for (const title of ['基础信息', '方便联系的时间']) {
    await untilShown(title)
    await untilGone('截图可能不够')
    all += characters()
    if (title === '基础信息') await tap('下一步')
  }
  expect(all).toBeLessThanOrEqual(300)
})

it('the manual form shows what is refused in its step, sends when to ask back, and continues to the checkout', async () => {
  const server = fakeServer({
    evaluation: { gameConfig: () => config, submitManual: () => ({ orderId: 'm1', originFen: 1990 }) },
    app: { openPayStatus: () => ({ pay: 'NORMAL', help: false, ad: false, manual: true }) },
  })
  await openManual()
  await untilShown('要拍到')
  await tap('下一步')
  await untilShown('截图可能不够')
  await tap('不补了')
  await untilBox('皮肤数')
  await tap('安卓')
  await type('皮肤数', '420')
  await tap('下一步')
  await untilShown('方便联系的时间')
  await tap('晚上')
  await tap('选服务')
  await untilBox('皮肤数')
  await type('皮肤数', '42')
  await tap('下一步')
  await tap('选服务')
  await until(() => navigations.length > 0, 'the checkout')
  expect(server.seen.find(({ call }) => call === 'evaluation.submitManual')?.req).toEqual({
    ...{ gameId: 'g', schemaVersion: 2, answers: { server: 'v0', skins: 42 } },
    ...{ level: 'STD', images: [], remark: '方便联系：晚上' },
  })
  expect(navigations).toEqual(['replace /pages/evaluation/human/checkout?orderId=m1'])
})
