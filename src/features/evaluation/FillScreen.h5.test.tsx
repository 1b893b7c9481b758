import { readFileSync } from 'node:fs'
import { DEFAULT_DEBOUNCE } from '@/contract/constants'
import type { FormConfig } from '@/contract/form/types'
import type { PrefilledForm } from '@/contract/types'
import { storage } from '@/platform/storage'
import { NetFailure, networkCode } from '@/platform/transport/port'
import { page } from '@/router/page'
import { drafts } from '@/session/drafts'
import { mergeIntoDraft } from '@/session/draftTransfers'
import { dispatch, startSession } from '@/session/store'
import { fakeServer, Refused } from '../../../test/fakes/api'
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
import { openPage } from '../../../test/fakes/taro'
import { copy } from './copy'
import { FillScreen } from './FillScreen'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())

const options = (...names: string[]) => names.map((t, i) => ({ v: `v${i}`, t }))

/** One field of every type. */
const config: FormConfig = {
  gameId: 'g',
  name: '试玩',
  schemaVersion: 2,
  status: 'ONLINE',
  aiMode: 'MANUAL_FORM',
  modes: ['AI'],
  estSeconds: 20,
  readList: [],
  groups: [
    { key: 'a', title: '资产' },
    { key: 'b', title: '其他' },
  ],
  fields: [
    { ...field('server', '区服', 'select', 1), required: true, role: 'factor', options: options('安卓', '苹果') },
    { ...field('rank', '段位', 'select', 2), options: options('一', '二', '三', '四', '五', '六', '七') },
    { ...field('modes', '玩法', 'multi', 3), options: options('排位', '娱乐') },
    { ...field('skins', '皮肤数', 'int', 4), required: true, rules: { min: 0, max: 100 }, unit: '款' },
    { ...field('gold', '典藏', 'int', 5), rules: { min: 0, max: 100 } },
    { ...field('assets', '总资产', 'decimal', 6), rules: { min: 0, max: 999, scale: 1 } },
    { ...field('rare', '稀有皮肤', 'tags', 7), dict: 'd' },
    { ...field('guns', '典藏武器', 'tagsGrade', 8), dict: 'd', grades: ['S', 'A'] },
    { ...field('chars', '角色', 'roster', 9), dict: 'd', roster: { dup: [0, 6], sig: true, refine: [1, 5] } },
    { ...field('tier', '最高段位', 'cascader', 10), dict: 'tree' },
    { ...field('bound', '是否绑定', 'bool', 11), group: 'b' },
    { ...field('id', '营地ID', 'text', 12), group: 'b', rules: { pattern: '^\\d{6}$' } },
    { ...field('remark', '补充说明', 'textarea', 13), group: 'b', rules: { maxLen: 20 } },
    { ...field('shots', '账号截图', 'image', 14), group: 'b', role: 'evidence' },
    { ...field('why', '绑定了什么', 'text', 15), group: 'b', visibleWhen: { field: 'bound', in: ['true'] } },
    { ...field('credit', '信誉分', 'int', 16), group: 'b', role: 'risk' },
    { ...field('spent', '累计充值', 'int', 17), group: 'b', role: 'weak' },
  ],
  dicts: { d: options('甲', '乙', '丙'), tree: [{ v: 'x', t: '王者', children: options('一星', '二星') }] },
  crossChecks: [{ parts: ['gold'], whole: 'skins', msg: '典藏超过了皮肤数' }],
}

function field<T extends FormConfig['fields'][number]['type']>(key: string, label: string, fieldType: T, sort: number) {
  return { key, label, group: 'a', type: fieldType, role: 'value' as const, required: false, rules: {}, sort }
}

const logIn = (userId = 'u1') => dispatch({ type: 'loggedIn', token: `t-${userId}`, userId, newUser: false })
const query = { gameId: 'g', mode: 'AI' }
const show = () => openPage(page('evaluationFillInInfo', FillScreen), '/pages/evaluation/fillInInfo/index', query)
let opened: Awaited<ReturnType<typeof show>> | undefined

/** `refusal`: what submitting is answered with instead of an order; `beforeAnswer` holds the answer back. */
async function openForm(
  form: PrefilledForm = config,
  refusal?: Refused | NetFailure,
  beforeAnswer: Promise<void> = Promise.resolve(),
) {
  const submitAi = async () => {
    await beforeAnswer
    if (refusal) throw refusal
    return { orderId: 'o1', status: 'PROCESSING' as const }
  }
  const server = fakeServer({ evaluation: { gameConfig: () => form, submitAi } })
  const p = await show()
  opened = p
  await untilBox('皮肤数')
  return { server, p }
}

/** The draft is written a moment after the last change. */
const untilSaved = () => until(() => shown().includes('草稿已保存'), 'the draft')

beforeEach(() => {
  localStorage.clear()
  navigations.length = 0
  startSession(storage)
  logIn()
})

afterEach(async () => {
  // leaving writes the draft: not into the next test
  await opened?.unload()
})

/** A sheet that is still closing must not be taken for the one that opens. */
async function openPasteSheet() {
  await until(() => find('识别并填写') === undefined, 'the sheet of before to be gone')
  await tap('粘贴文字')
  await until(() => find('识别并填写') !== undefined, 'the sheet')
}

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
  const path = '/pages/evaluation/fillInInfo/index'
  await openPage(page('evaluationFillInInfo', FillScreen), path, { gameId: 'g', mode: 'AI' })
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

it('a draft survives leaving the page, and logging in', async () => {
  const { p } = await openForm()
  await type('皮肤数', '42')
  await tap('苹果')
  await untilSaved()
  await p.unload()
  dispatch({ type: 'loggedOut' })
  logIn()
  await openForm()
  expect(box('皮肤数').value).toBe('42')
  expect(document.querySelector('[role=radio][aria-checked=true]')?.textContent).toBe('苹果')
})

it('is saved at once when the page is hidden, not only after the pause', async () => {
  const { p } = await openForm()
  await type('皮肤数', '7')
  expect(DEFAULT_DEBOUNCE).toBeGreaterThan(0)
  expect(storage.get('draft:u1:g:AI')).toBeUndefined()
  await p.unload()
  expect(storage.get('draft:u1:g:AI')).toContain('"skins":7')
})

it('is saved synchronously when the tab closes', async () => {
  await openForm()
  await type('皮肤数', '7')
  expect(storage.get('draft:u1:g:AI')).toBeUndefined()
  window.dispatchEvent(new Event('pagehide'))
  expect(storage.get('draft:u1:g:AI')).toContain('"skins":7')
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
  opened = await show()
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

const openManual = async () => {
  opened = await openPage(page('evaluationFillInInfo', FillScreen), '/pages/evaluation/fillInInfo/index', {
    gameId: 'g',
    mode: 'MANUAL',
  })
  return opened
}

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

it('answers given without a login belong to the user who logs in next', async () => {
  const { p } = await openForm()
  await type('皮肤数', '8')
  await p.unload()
  const anonymous = storage.get('draft:u1:g:AI') ?? ''
  localStorage.clear()
  storage.set('draft:anon:g:AI', anonymous)
  storage.set('drafts', '["draft:anon:g:AI"]')
  await openForm()
  expect(box('皮肤数').value).toBe('8')
  expect(storage.get('draft:anon:g:AI')).toBeUndefined()
})

it('another user starts empty', async () => {
  const { p } = await openForm()
  await type('皮肤数', '42')
  await p.unload()
  logIn('u2')
  await openForm()
  expect(box('皮肤数').value).toBe('')
})

it('keeps the answers a newer form still has and names the dropped ones', async () => {
  const { p } = await openForm()
  await type('皮肤数', '42')
  await type('典藏', '5')
  await p.unload()
  const newer = { ...config, schemaVersion: 3, fields: config.fields.filter(({ key }) => key !== 'gold') }
  await openForm(newer)
  expect(box('皮肤数').value).toBe('42')
  expect(shown()).toContain('表单有更新')
  expect(shown()).toContain('已移除：典藏')
})

it('fills empty fields from a pasted listing, says which, and can undo it', async () => {
  const asked: unknown[] = []
  fakeServer({
    evaluation: {
      gameConfig: () => config,
      linkVerify: (req) => {
        asked.push(req)
        return {
          ok: true,
          gameId: 'g',
          platform: '某平台',
          parsed: { skins: 60, gold: 500, rank: 'v2' },
          missing: [],
        }
      },
    },
  })
  opened = await show()
  await untilBox('皮肤数')
  await type('皮肤数', '42')
  await openPasteSheet()
  await type('商品描述或分享文字', '安卓 60 皮肤')
  await tap('识别并填写')
  // 500 is more than a 典藏 can be, and the number of skins was typed
  await untilShown('粘贴内容：已填入段位，请核对')
  expect(asked).toEqual([{ gameId: 'g', text: '安卓 60 皮肤' }])
  expect([box('皮肤数').value, box('典藏').value]).toEqual(['42', ''])
  expect(shown()).toContain('粘贴内容')
  await tap('撤销')
  expect(shown()).not.toContain('粘贴内容')
  expect(box('皮肤数').value).toBe('42')
})

it('sends whether the price of a pasted listing may be used; a reload keeps it, and undoing the paste drops it', async () => {
  const parsed = { skins: 60, server: 'v0' }
  const server = fakeServer({
    evaluation: {
      gameConfig: () => config,
      linkVerify: () => ({ ok: true, gameId: 'g', parsed, missing: [], askFen: 320_000 }),
      submitAi: () => ({ orderId: 'o1', status: 'PROCESSING' as const }),
    },
  })
  opened = await show()
  await untilBox('皮肤数')
  async function paste() {
    await openPasteSheet()
    await type('商品描述或分享文字', '安卓 60 皮肤 一口价 3200')
    await tap('识别并填写')
    await untilShown('挂牌价 ¥3,200')
  }
  await paste()
  await tap('撤销')
  expect(shown()).not.toContain('挂牌价')
  await paste()
  expect(drafts.load('u1', 'g', 'AI')?.listing).toEqual({ askFen: 320_000, agreed: false })
  await tap(copy.askingPriceUse(320_000))
  await opened.unload()
  opened = await show()
  await untilShown('挂牌价 ¥3,200')
  await tap('提交估价')
  await until(() => navigations.length > 0, 'the next page')
  const sent = server.seen.find(({ call }) => call === 'evaluation.submitAi')?.req
  expect(sent).toMatchObject({ answers: parsed, listing: { askFen: 320_000, consent: true } })
})

it('sends the price of a pasted listing for the report, without consent to more', async () => {
  const filled = { gameId: 'g', gameName: '试玩', mode: 'AI', answers: { skins: 60, server: 'v0' } } as const
  mergeIntoDraft('u1', { ...filled, from: 'PASTED', askFen: 320_000 })
  const { server } = await openForm()
  expect(shown()).toContain('挂牌价 ¥3,200')
  await tap('提交估价')
  await until(() => navigations.length > 0, 'the next page')
  expect(server.seen.find(({ call }) => call === 'evaluation.submitAi')?.req).toHaveProperty('listing', {
    askFen: 320_000,
  })
})

it('the price of a listing counts for its own account only: not for answers typed before, nor after all are removed', async () => {
  fakeServer({
    evaluation: {
      gameConfig: () => config,
      linkVerify: () => ({ ok: true, gameId: 'g', parsed: { skins: 60 }, missing: [], askFen: 320_000 }),
    },
  })
  opened = await show()
  await untilBox('皮肤数')
  async function paste() {
    await openPasteSheet()
    await type('商品描述或分享文字', '安卓 60 皮肤 一口价 3200')
    await tap('识别并填写')
  }
  await paste()
  await untilShown('挂牌价 ¥3,200')
  await type('皮肤数', '')
  await until(() => !shown().includes('挂牌价'), 'the price to be dropped')
  await type('皮肤数', '12')
  await paste()
  await untilShown('粘贴内容')
  expect(shown()).not.toContain('挂牌价')
})

it('offers the answers of the last report, and shows how many free valuations are left', async () => {
  await openForm({ ...config, freeLeft: 2, last: { answers: { skins: 70, server: 'v1' }, at: 1_763_692_800_000 } })
  expect(shown()).toContain('今日剩 2 次')
  await tap('沿用')
  expect(box('皮肤数').value).toBe('70')
  const marks = () => shown().match(/上次资料/g)?.length ?? 0
  const before = marks()
  await type('皮肤数', '71')
  expect(marks()).toBe(before - 1)
})

it('shows what a collection has filled, and sends its task', async () => {
  const answers = { skins: 66, server: 'v0', unknown: 1 }
  mergeIntoDraft('u1', { gameId: 'g', gameName: '试玩', mode: 'AI', answers, from: 'READ', taskId: 't9' })
  const { server } = await openForm()
  expect(box('皮肤数').value).toBe('66')
  expect(shown()).toContain('授权读取')
  expect(shown()).not.toContain('表单有更新')
  await type('皮肤数', '67')
  await tap('提交估价')
  await until(() => navigations.length > 0, 'the next page')
  expect(server.seen.find(({ call }) => call === 'evaluation.submitAi')?.req).toMatchObject({
    answers: { skins: 67, server: 'v0' },
    taskId: 't9',
    source: 'AUTH',
  })
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

describe('the price while the form is filled', () => {
  type Answer = { lowFen: number; highFen: number; answered: number; asked: number }
  const range = (lowFen: number, highFen: number, answered: number): Answer => ({
    lowFen,
    highFen,
    answered,
    asked: 13,
  })

  async function openLive(
    preview: (req: { answers: object }) => Promise<Answer> | Answer,
    form: PrefilledForm = config,
  ) {
    const server = fakeServer({ evaluation: { gameConfig: () => form }, pricePreview: { preview } })
    opened = await show()
    await untilBox('皮肤数')
    return server
  }
  const asked = ({ seen }: { seen: { call: string; req: unknown }[] }) =>
    seen.filter(({ call }) => call === 'pricePreview.preview').map(({ req }) => (req as { answers: object }).answers)

  it('asks with what is valid once typing has paused, and shows the range', async () => {
    const server = await openLive(() => range(160_000, 220_000, 1))
    expect(asked(server)).toEqual([])
    await tap('安卓')
    await untilShown('¥1,600–2,200')
    await type('皮肤数', '500', { leave: true })
    await type('皮肤数', '30')
    await until(() => asked(server).length === 2, 'the second question')
    expect(asked(server)).toEqual([{ server: 'v0' }, { server: 'v0', skins: 30 }])
  })

  it('a late answer never replaces a newer one', async () => {
    let late: (answer: Answer) => void = () => undefined
    const server = await openLive(({ answers }) =>
      'skins' in answers
        ? range(180_000, 200_000, 2)
        : new Promise<Answer>((resolve) => {
            late = resolve
          }),
    )
    await tap('安卓')
    await until(() => asked(server).length === 1, 'the first question')
    await type('皮肤数', '30')
    await untilShown('¥1,800–2,000')
    late(range(100_000, 900_000, 1))
    await tap('苹果')
    expect(shown()).not.toContain('¥1,000–9,000')
  })

  it('the range of earlier answers goes when the newer ones are refused', async () => {
    await openLive(({ answers }) => {
      if ('skins' in answers) throw new Refused(503, 'SERVICE_UNAVAILABLE')
      return range(160_000, 220_000, 1)
    })
    await tap('安卓')
    await untilShown('¥1,600–2,200')
    await type('皮肤数', '30')
    await untilGone('¥1,600–2,200')
  })

  it('is not requested with no free valuation left', async () => {
    const server = await openLive(() => range(160_000, 220_000, 1), { ...config, freeLeft: 0 })
    await tap('安卓')
    await type('皮肤数', '30')
    await untilSaved()
    expect(asked(server)).toEqual([])
  })
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
