import { storage } from '@/platform/storage'
import { NetFailure, networkCode } from '@/platform/transport/port'
import { drafts } from '@/session/drafts'
import { fakeServer, Refused } from '../../../test/fakes/api'
import { config, field, openForm, setUpFillForm, show, untilSaved } from '../../../test/fakes/fill-form'
import { navigations } from '../../../test/fakes/navigation'
import {
  alerts,
  box,
  find,
  leaveBox,
  shown,
  tap,
  type,
  until,
  untilBox,
  untilGone,
  untilShown,
} from '../../../test/fakes/screen'
import { copy } from './copy'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())

setUpFillForm()

it('asks every type of field of the config, by group, and hides what does not apply', async () => {
  await openForm()
  for (const { label, key } of config.fields) if (key !== 'why') expect(find(label)).toBeDefined()
  for (const text of ['资产', '其他', '安卓', '排位', '款']) expect(find(text)).toBeDefined()
  for (const label of ['皮肤数', '典藏', '总资产', '营地ID', '补充说明', '信誉分']) expect(box(label).value).toBe('')
  expect(find('绑定了什么')).toBeUndefined()
  await tap('是')
  expect(find('绑定了什么')).toBeDefined()
})

it('says what is wrong on leaving a field and on submitting, and sends nothing', async () => {
  const { server } = await openForm()
  await type('皮肤数', '500', { leave: true })
  expect(alerts().join()).toContain('皮肤数需在 0–100 之间')
  await type('皮肤数', '3')
  await type('典藏', '9', { leave: true })
  expect(shown()).toContain('典藏超过了皮肤数')
  await type('营地ID', '12')
  await leaveBox('营地ID')
  await tap('提交估价')
  expect(alerts().join()).toContain('还有 2 处需要修改：请选择区服')
  expect(shown()).toContain('营地ID格式不对')
  expect(server.seen.map(({ call }) => call)).not.toContain('evaluation.submitAi')
})

it('never changes a typed number: what is not a whole number is refused at the field, what is understood is shown', async () => {
  const { server } = await openForm()
  await tap('安卓')
  for (const [typed, issue] of [
    ['1.5', '皮肤数需填 0–100 的整数'],
    ['1.5万', '皮肤数需在 0–100 之间'],
    ['-5', '皮肤数需在 0–100 之间'],
    ['1e1', '皮肤数需填 0–100 的整数'],
  ] as const) {
    await type('皮肤数', typed, { leave: true })
    expect(shown()).toContain(issue)
    await tap('提交估价')
    expect(alerts().join()).toContain(issue)
  }
  expect(server.seen.map(({ call }) => call)).not.toContain('evaluation.submitAi')
  // what could not be read is not lost with the page
  await until(() => drafts.load('u1', 'g', 'AI')?.answers.skins === '1e1', 'the draft')
  await type('皮肤数', '１２', { leave: true })
  expect(box('皮肤数').value).toBe('12')
  expect(shown()).not.toContain('皮肤数需')
})

it('takes an id as it is copied, with spaces, dashes and full-width digits', async () => {
  await openForm()
  await type('营地ID', ' 548-12 ０', { leave: true })
  expect(box('营地ID').value).toBe('548120')
  expect(shown()).not.toContain('营地ID格式不对')
})

it('submits the answers once, deletes the draft and goes on to the page that waits', async () => {
  let answer: () => void = () => undefined
  const beforeAnswer = new Promise<void>((resolve) => {
    answer = resolve
  })
  const { server, p } = await openForm(config, undefined, beforeAnswer)
  await tap('安卓')
  await type('皮肤数', '30')
  await type('总资产', '12.5')
  await tap('是')
  await type('绑定了什么', '邮箱')
  await tap('否')
  await tap('提交估价')
  await tap('提交中')
  answer()
  await until(() => navigations.length > 0, 'the next page')
  const sent = server.seen.filter(({ call }) => call === 'evaluation.submitAi')
  expect(sent).toHaveLength(1)
  expect(sent[0]?.req).toEqual({
    gameId: 'g',
    schemaVersion: 2,
    answers: { server: 'v0', skins: 30, assets: 12.5, bound: false },
    source: 'TYPED',
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
  expect(navigations).toEqual(['replace /pages/evaluation/fillInInfo/success?orderId=o1'])
  await p.unload()
  expect(storage.get('draft:u1:g:AI')).toBeUndefined()
})

it('does not say of required fields how unanswered ones count', async () => {
  await openForm()
  expect(shown()).toContain('必填 0/2')
  expect(shown()).not.toContain('未填的按常见水平计')
})

it('an optional list is answered with none by one tap', async () => {
  const { server } = await openForm()
  await tap('稀有皮肤：没有')
  await tap('安卓')
  await type('皮肤数', '30')
  expect(shown()).toContain('选填 1/11')
  await tap('提交估价')
  await until(() => navigations.length > 0, 'the next page')
  expect(server.seen.find(({ call }) => call === 'evaluation.submitAi')?.req).toMatchObject({
    answers: { rare: [], skins: 30 },
  })
})

it('shows the server’s messages at their fields and keeps the answers', async () => {
  fakeServer({
    evaluation: {
      gameConfig: () => config,
      submitAi: () => {
        throw new Refused(400, 'VALIDATION_FAILED', '', {
          fields: [{ path: 'answers.skins', msg: '皮肤数与段位不符' }],
        })
      },
    },
  })
  await show()
  await untilShown('资产')
  await tap('安卓')
  await type('皮肤数', '30')
  await tap('提交估价')
  await untilShown('皮肤数与段位不符')
  expect(box('皮肤数').value).toBe('30')
  expect(navigations).toEqual([])
})

it.each([
  ['without a network', new NetFailure(networkCode.failure, 'offline')],
  ['while the server is away', new Refused(502, '')],
])('%s the form keeps everything, says so and can be submitted again', async (_, refusal) => {
  const { server } = await openForm(config, refusal)
  await tap('安卓')
  await type('皮肤数', '30')
  await tap('提交估价')
  await untilShown(copy.submitFailed)
  expect(box('皮肤数').value).toBe('30')
  expect(drafts.load('u1', 'g', 'AI')?.answers).toEqual({ server: 'v0', skins: 30 })
  await tap('提交估价')
  const sent = () => server.seen.filter(({ call }) => call === 'evaluation.submitAi')
  await until(() => sent().length === 2, 'the second request')
})

it('while the game’s first model is trained, says when to come again and keeps everything', async () => {
  await openForm(config, new Refused(503, 'MODEL_PENDING', '该游戏的估价模型正在准备'))
  await tap('安卓')
  await type('皮肤数', '30')
  await tap('提交估价')
  await untilShown('请约 1 分钟后再提交')
  expect(shown()).not.toContain('服务器出错了')
  expect(box('皮肤数').value).toBe('30')
  expect(drafts.load('u1', 'g', 'AI')?.answers).toEqual({ server: 'v0', skins: 30 })
})

it('with the daily quota used, says when it renews and offers a manual valuation with the same answers', async () => {
  let freeLeft = 1
  const seen = fakeServer({
    evaluation: {
      gameConfig: () => ({ ...config, modes: ['AI', 'MANUAL'], freeLeft }),
      submitAi: () => {
        freeLeft = 0
        throw new Refused(429, 'FREE_QUOTA_USED', '今日免费次数已用完')
      },
    },
    app: { openPayStatus: () => ({ pay: 'NORMAL', help: false, ad: false, manual: true }) },
  })
  await show()
  await untilBox('皮肤数')
  await tap('安卓')
  await type('皮肤数', '30')
  await tap('提交估价')
  await untilShown('改用人工估价')
  await tap('改用人工估价')
  await until(() => navigations.length > 0, 'a move')
  expect(navigations).toEqual(['replace /pages/evaluation/fillInInfo/index?gameId=g&mode=MANUAL'])
  expect(drafts.load('u1', 'g', 'MANUAL')?.answers).toEqual({ server: 'v0', skins: 30 })
  expect(drafts.load('u1', 'g', 'AI')?.answers).toEqual({ server: 'v0', skins: 30 })
  expect(seen.seen.filter(({ call }) => call === 'evaluation.submitAi')).toHaveLength(1)
})

it('says beforehand that none is left, but not to whom a free one is still due', async () => {
  const { p } = await openForm({ ...config, freeLeft: 0 })
  expect(shown()).toContain('明天可继续提交')
  await p.unload()
  await openForm({ ...config, freeLeft: 0, freeAgain: true })
  expect(shown()).toContain('已过期的报告可免费重估')
  expect(shown()).not.toContain('明天可继续提交')
})

it('with none left the button is off and a person is offered', async () => {
  const { server } = await openForm({ ...config, freeLeft: 0 })
  await tap('安卓')
  await type('皮肤数', '30')
  expect(find('提交估价')?.closest('[aria-disabled]')?.getAttribute('aria-disabled')).toBe('true')
  await tap('提交估价')
  expect(server.seen.map(({ call }) => call)).not.toContain('evaluation.submitAi')
})

it('does not say that the draft is saved where it could not be stored', async () => {
  await openForm()
  await type('皮肤数', '29')
  await untilSaved()
  const full = jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  await tap('安卓')
  await untilGone('草稿已保存')
  full.mockRestore()
  await type('皮肤数', '31')
  await untilSaved()
})

it('names the next field that is missing', async () => {
  await openForm()
  expect(shown()).toContain('填区服')
  await tap('安卓')
  await untilShown('填皮肤数')
})

it('folds what does not move the price until it is used', async () => {
  const aside = { ...field('spent', '累计充值', 'int', 18), group: 'b', role: 'weak' as const }
  const fields = config.fields.filter(({ key }) => key === 'skins')
  const form = { ...config, fields: [...fields, aside], crossChecks: [] }
  const { p } = await openForm(form)
  expect(find('累计充值')).toBeUndefined()
  await tap('其他')
  await type('累计充值', '500', { leave: true })
  await untilSaved()
  await p.unload()
  // a draft opens with what it holds
  await openForm(form)
  expect(box('累计充值').value).toBe('500')
})
