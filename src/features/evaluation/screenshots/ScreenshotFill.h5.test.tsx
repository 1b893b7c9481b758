import { files } from '@/api'
import type { FormConfig } from '@/contract/form/types'
import type { Res } from '@/contract/types'
import { pictures } from '@/platform/pictures'
import { fakePictures } from '@/platform/pictures/fake'
import { storage } from '@/platform/storage'
import { page } from '@/router/page'
import { dispatch, startSession } from '@/session/store'
import { fakeServer, Refused } from '../../../../test/fakes/api'
import { box, find, shown, tap, until, untilBox, untilGone, untilShown } from '../../../../test/fakes/screen'
import { openPage } from '../../../../test/fakes/taro'
import { FillScreen } from '../FillScreen'

jest.mock('@tarojs/taro', () => require('../../../../test/fakes/navigation').fakeTaro())

const fake = fakePictures()
Object.assign(pictures, fake.pictures)

const count = (key: string, label: string) =>
  ({
    key,
    label,
    group: 'a',
    type: 'int',
    role: 'value',
    required: true,
    rules: { min: 0, max: 900 },
    sort: 1,
  }) as const
const config: FormConfig & { screenshots: boolean } = {
  ...{ gameId: 'g', name: '试玩', schemaVersion: 1, status: 'ONLINE', aiMode: 'MANUAL_FORM', modes: ['AI'] },
  ...{ estSeconds: 1, readList: [], groups: [{ key: 'a', title: '资产' }], dicts: {}, screenshots: true },
  fields: [count('heroes', '英雄数'), count('skins', '皮肤数'), count('epics', '史诗')],
}

const DONE: Res<'screenshot', 'get'> = {
  ...{ status: 'DONE', answers: { heroes: 97, skins: 318, epics: 88 }, ask: ['epics'] },
  sources: ['heroes', 'skins', 'epics'].map((field) => ({
    field,
    key: 'u/1/k1',
    box: [0.1, 0.1, 0.1, 0.02],
    score: 0.97,
  })),
}

let opened: { unload(): Promise<void> } | undefined
async function open(get: () => Res<'screenshot', 'get'>, form: object = config, mode = 'AI') {
  const server = fakeServer({
    evaluation: { gameConfig: () => form as FormConfig },
    screenshot: { create: () => ({ taskId: 't' }), get },
    app: { openPayStatus: () => ({ pay: 'NORMAL', help: false, ad: false, manual: true }) },
  })
  opened = await openPage(page('evaluationFillInInfo', FillScreen), '/pages/evaluation/fillInInfo/index', {
    gameId: 'g',
    mode,
  })
  await (mode === 'AI' ? untilBox('英雄数') : untilShown('要拍到'))
  // after the first call, which loads the part of the api that uploads
  let n = 0
  Object.assign(files, { upload: async () => `u/1/k${++n}`, pictureUrl: async (key: string) => `https://x/${key}` })
  return server
}

beforeEach(() => {
  localStorage.clear()
  startSession(storage)
  dispatch({ type: 'loggedIn', token: 't', userId: 'u1', newUser: false })
  fake.state.next = ['a']
})
afterEach(async () => opened?.unload())

it('fills in what is sure, keeps what was typed, and asks about the rest', async () => {
  const server = await open(() => DONE)
  await tap('传截图')
  await untilShown('已识别 3 项')
  expect(server.seen.find(({ call }) => call === 'screenshot.create')?.req).toEqual({ gameId: 'g', keys: ['u/1/k1'] })
  expect([box('英雄数').value, box('皮肤数').value, box('史诗').value]).toEqual(['97', '318', ''])
  expect(shown()).toContain('1 项请核对')
  expect(shown()).toContain('88？')
  await tap('填入')
  await until(() => box('史诗').value === '88', 'the confirmed answer')
  expect(shown()).not.toContain('项请核对')
})

/** Whether the sheet shows a field with its piece of picture. */
const isShown = (label: string) => {
  const sheet = document.querySelector('[role=dialog] .shots__piece')?.parentElement
  return sheet?.textContent?.startsWith(label) === true
}

it('shows the piece of picture of a filled field, also after the form was opened again', async () => {
  await open(() => DONE)
  await tap('传截图')
  await untilShown('已识别 3 项')
  await tap('看英雄数识别自截图的哪里')
  await until(() => isShown('英雄数'), 'the piece of picture')
  await opened?.unload()
  const server = await open(() => DONE)
  await untilShown('已识别 3 项')
  expect(server.seen.filter(({ call }) => call.startsWith('screenshot'))).toEqual([
    expect.objectContaining({ call: 'screenshot.get', req: { taskId: 't' } }),
  ])
  await tap('看皮肤数识别自截图的哪里')
  await until(() => isShown('皮肤数'), 'the piece of picture')
})

it('says what a picture shows instead, and that a broken connection loses nothing', async () => {
  let fails = true
  const server = await open(() => {
    if (fails) throw new Refused(500, 'INTERNAL_ERROR', '')
    return { status: 'DONE', answers: {}, sources: [], ask: [], note: '没有认出试玩的资料' }
  })
  await tap('传截图')
  await untilShown('识别中断了')
  fails = false
  await tap('再试一次')
  await untilShown('没有认出试玩的资料')
  expect(server.seen.filter(({ call }) => call === 'screenshot.create')).toHaveLength(2)
  expect(box('英雄数').value).toBe('')
})

it('is not offered where the server reads no pictures', async () => {
  await open(() => DONE, { ...config, screenshots: undefined })
  expect(find('传截图')).toBeUndefined()
})

it('reads the pictures of a human valuation, and asks once for what none of them shows', async () => {
  const pictures = { ...count('pictures', '账号截图'), type: 'image', role: 'evidence', required: false, rules: {} }
  const glory = { ...count('glory', '荣耀典藏'), role: 'value*', required: false }
  const form = { ...config, fields: [...config.fields, glory, pictures] }
  const server = await open(() => DONE, form, 'MANUAL')
  await tap('添加图片')
  await until(() => server.seen.some(({ call }) => call === 'screenshot.get'), 'the reading')
  await untilGone('正在识别')
  await tap('下一步')
  await untilShown('没有看到荣耀典藏')
  await tap('不补了')
  await untilShown('已识别 3 项')
  await untilBox('英雄数')
  expect(box('英雄数').value).toBe('97')
  await tap('填入')
  await tap('下一步')
  await untilShown('选服务')
  expect(server.seen.filter(({ call }) => call === 'screenshot.create').map(({ req }) => req)).toEqual([
    { gameId: 'g', keys: ['u/1/k1'] },
  ])
})
