import { readFileSync } from 'node:fs'
import type { FormConfig } from '@/contract/form/types'
import { fakeServer } from '../../../test/fakes/api'
import { config, setUpFillForm, show } from '../../../test/fakes/fill-form'
import { navigations } from '../../../test/fakes/navigation'
import { find, shown, tap, type, until, untilBox, untilGone, untilShown } from '../../../test/fakes/screen'

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
  const forms = [hok, { ...hok, fields: hok.fields.map((f) => ({ ...f, required: false })) }]
  fakeServer({
    evaluation: { gameConfig: () => forms[0] as FormConfig },
    app: { openPayStatus: () => ({ pay: 'NORMAL', help: false, ad: false, manual: true }) },
  })
  const characters = () => (shown().match(/\p{Script=Han}/gu) ?? []).length
  const openFacts = async () => {
    const opened = await openManual()
    await untilShown('要拍到：个人主页')
    const pictures = characters()
    await tap('下一步')
    await untilShown('截图可能不够')
    await tap('不补了')
    await untilShown('基础信息')
    await untilGone('截图可能不够')
    return { opened, pictures, facts: characters() }
  }
  const { opened, pictures, facts } = await openFacts()
  await opened.unload()
  // one that may be left without an answer
  forms.shift()
  await openFacts()
  await tap('下一步')
  await untilShown('方便联系的时间')
  expect(pictures + facts + characters()).toBeLessThanOrEqual(300)
})

it('the facts are left with all required answers; the group changes by a tap or for a missing answer, not while one types', async () => {
  const inBoth = { ...config, fields: config.fields.map((f) => (f.key === 'bound' ? { ...f, required: true } : f)) }
  fakeServer({
    evaluation: { gameConfig: () => inBoth },
    app: { openPayStatus: () => ({ pay: 'NORMAL', help: false, ad: false, manual: true }) },
  })
  await openManual()
  await untilShown('要拍到')
  await tap('下一步')
  await untilShown('截图可能不够')
  await tap('不补了')
  await untilBox('皮肤数')
  await tap('下一步')
  await untilShown('还有 3 项必填：请选择区服')
  await tap('安卓')
  await type('皮肤数', '42')
  await untilShown('还有 1 项必填：请选择是否绑定')
  expect(find('是否绑定')).toBeUndefined()
  await tap('下一步')
  await untilShown('营地ID')
  await tap('否')
  // facts that do not move the price are counted like the others
  await untilShown('选填 0/12')
  await tap('下一步')
  await untilShown('方便联系的时间')
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
  await untilShown('还有 1 处需要修改')
  expect(shown()).not.toContain('方便联系的时间')
  await type('皮肤数', '42')
  await tap('下一步')
  await untilShown('方便联系的时间')
  await tap('晚上')
  await tap('选服务')
  await until(() => navigations.length > 0, 'the checkout')
  expect(server.seen.find(({ call }) => call === 'evaluation.submitManual')?.req).toEqual({
    ...{ gameId: 'g', schemaVersion: 2, answers: { server: 'v0', skins: 42 } },
    ...{ level: 'STD', images: [], remark: '方便联系：晚上' },
  })
  expect(navigations).toEqual(['replace /pages/evaluation/human/checkout?orderId=m1'])
})
