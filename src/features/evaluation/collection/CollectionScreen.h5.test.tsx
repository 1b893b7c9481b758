import { keysOf, taskFailText } from '@/contract/labels'
import type { AutoTask, Req } from '@/contract/types'
import { fakeStorage } from '@/platform/storage/fake'
import { page } from '@/router/page'
import { drafts } from '@/session/drafts'
import { mergeIntoDraft } from '@/session/draftTransfers'
import { dispatch, startSession } from '@/session/store'
import { fakeServer, Refused } from '../../../../test/fakes/api'
import { hokForm } from '../../../../test/fakes/games'
import { navigations, stack } from '../../../../test/fakes/navigation'
import { shown, tap, until, untilShown } from '../../../../test/fakes/screen'
import { openPage } from '../../../../test/fakes/taro'
import { copy } from '../copy'
import { CollectionScreen } from './CollectionScreen'
import { copy as copyOfCollection } from './copy'
import { nextSteps } from './model'

jest.mock('@tarojs/taro', () => require('../../../../test/fakes/navigation').fakeTaro())

const PATH = '/pages/evaluation/fillInInfo/rpaWebview'
const task = (status: AutoTask['status'], more: Partial<AutoTask> = {}): AutoTask => ({
  taskId: 't1',
  gameId: 'hok',
  gameName: '王者荣耀',
  status,
  progress: 20,
  step: '读取',
  steps: ['确认', '读取', '估价'],
  retryable: true,
  pollAfterMs: 60_000,
  expireAt: Date.now() + 600_000,
  ...more,
})

type Create = (req: Req<'evaluation', 'taskCreate'>) => AutoTask
async function open(query: Record<string, string>, now: AutoTask, taskCreate: Create = () => now) {
  const server = fakeServer({
    evaluation: {
      gameConfig: () => hokForm,
      taskRecord: () => now,
      taskCreate,
      submitAi: () => ({ orderId: 'o1', status: 'WAIT_AUTH' }),
    },
  })
  await openPage(page('evaluationFillInInfoRpaWebview', CollectionScreen), PATH, query)
  return server
}

beforeEach(() => {
  navigations.length = 0
  stack.splice(0, stack.length, '/pages/home/index', PATH)
  startSession(fakeStorage())
  dispatch({ type: 'loggedIn', token: 't', userId: 'u1', newUser: false })
})

it('the way back from a running collection asks; the collection goes on without the page', async () => {
  await open({ taskId: 't1' }, task('COLLECTING'))
  await untilShown('正在读取')
  await tap('返回')
  await untilShown('离开后仍会继续')
  await tap('留在此页')
  expect(navigations).toEqual([])
  await tap('返回')
  await untilShown('离开后仍会继续')
  await tap('离开')
  await until(() => navigations.length > 0, 'a move')
  expect(navigations).toEqual(['back 1'])
})

it('choosing another way cancels the collection and shows the form', async () => {
  const server = await open({ taskId: 't1' }, task('WAIT_SCAN'), () => task('CANCELED'))
  await untilShown('换一种方式')
  await tap('换一种方式')
  await tap('自己填写')
  await until(() => navigations.length > 0, 'a move')
  expect(navigations).toEqual(['replace /pages/evaluation/fillInInfo/index?gameId=hok&mode=AI'])
  expect(server.seen.find(({ call }) => call === 'evaluation.taskCreate')?.req).toMatchObject({ action: 'CANCEL' })
})

describe('the page of the game', () => {
  const waits = () =>
    task('WAIT_SCAN', { qrImage: 'data:,', qrExpireAt: Date.now() + 90_000, webviewUrl: 'https://g.cn/' })
  const hands = (maxTouchPoints: number, width: number) => {
    Object.defineProperty(navigator, 'maxTouchPoints', { value: maxTouchPoints, configurable: true })
    jest.spyOn(screen, 'width', 'get').mockReturnValue(width)
    jest.spyOn(screen, 'height', 'get').mockReturnValue(900)
  }
  afterEach(() => {
    jest.restoreAllMocks()
    Reflect.deleteProperty(navigator, 'maxTouchPoints')
  })
  const OPEN = '在本机打开授权页'

  it('on a phone it is what to do first, and the code for another phone comes second', async () => {
    hands(5, 375)
    await open({ taskId: 't1' }, waits())
    await untilShown('二维码')
    expect(shown().indexOf(OPEN)).toBeGreaterThan(-1)
    expect(shown().indexOf(OPEN)).toBeLessThan(shown().indexOf('保存二维码'))
    expect(shown().split(OPEN)).toHaveLength(2)
    await tap(OPEN)
    await until(() => navigations.length > 0, 'a move')
    const [path, query] = (navigations[0] ?? '').split('?')
    expect(path).toBe('push /pages/home/webview/index')
    expect(Object.fromEntries(new URLSearchParams(query))).toEqual({ url: 'https://g.cn/', title: OPEN, taskId: 't1' })
  })

  it.each([
    ['without touch', 0, 1440],
    ['on a tablet', 5, 820],
  ])('%s the code comes first', async (_where, touch, width) => {
    hands(touch, width)
    await open({ taskId: 't1' }, waits())
    await untilShown('请完成授权')
    expect(shown().indexOf(OPEN)).toBeGreaterThan(shown().indexOf('保存二维码'))
  })
})

it('the code lives as long as the server says, whatever the time on this phone', async () => {
  const server = Date.now() - 3_600_000
  await open({ taskId: 't1' }, task('WAIT_SCAN', { qrImage: 'data:,', qrExpireAt: server + 90_000, now: server }))
  await until(() => /二维码 (90|8\d) 秒后自动刷新/.test(shown()), 'the seconds left')
})

it('the collected answers are the start of the form, under the name of the game', async () => {
  await open({ taskId: 't1' }, task('SUCCESS', { answers: { heroCount: 99 } }))
  await untilShown('已读取 1 项资料')
  await tap('核对并提交')
  await until(() => navigations.length > 0, 'a move')
  expect(drafts.load('u1', 'hok', 'AI')).toMatchObject({
    gameName: '王者荣耀',
    answers: { heroCount: 99 },
    taskId: 't1',
  })
})

it('an order that waits for another collection keeps its place: the new collection belongs to it', async () => {
  mergeIntoDraft('u1', {
    gameId: 'hok',
    gameName: '王者荣耀',
    mode: 'AI',
    answers: { server: 'ios_qq', campId: '548123090', realName: 'unknown', antiAddiction: 'no', banStatus: 'none' },
    from: 'LAST',
  })
  const server = await open({ gameId: 'hok', orderId: 'o1' }, task('CREATED'))
  await untilShown('将会读取')
  await tap('同意并授权')
  await until(() => navigations.length > 0, 'a move')
  expect(navigations).toEqual([`replace ${PATH}?gameId=hok&taskId=t1`])
  expect(server.seen.find(({ call }) => call === 'evaluation.taskCreate')?.req).toMatchObject({ orderId: 'o1' })
})

it('the price of a pasted listing is sent with the collection once its owner has agreed', async () => {
  const answers = { server: 'ios_qq', campId: '548123090', realName: 'unknown', antiAddiction: 'no', banStatus: 'none' }
  mergeIntoDraft('u1', { gameId: 'hok', gameName: '王者荣耀', mode: 'AI', answers, from: 'PASTED', askFen: 320_000 })
  const server = await open({ gameId: 'hok' }, task('CREATED'))
  await untilShown('只用于给这个账号估价，不用于其他用途')
  expect(shown()).not.toContain('没有期限')
  await tap(copy.askingPriceUse(320_000))
  await untilShown('账号属性也用于改进估价与行情')
  expect(shown()).not.toContain('不用于其他用途')
  expect(shown()).toContain('账号属性没有期限')
  await tap('同意并授权')
  await until(() => navigations.length > 0, 'a move')
  expect(server.seen.find(({ call }) => call === 'evaluation.submitAi')?.req).toMatchObject({
    listing: { askFen: 320_000, consent: true },
  })
})

it('a collection that cannot begin says why and keeps what was typed', async () => {
  mergeIntoDraft('u1', {
    gameId: 'hok',
    gameName: '王者荣耀',
    mode: 'AI',
    answers: { server: 'ios_qq', campId: '548123090', realName: 'unknown', antiAddiction: 'no', banStatus: 'none' },
    from: 'LAST',
  })
  await open({ gameId: 'hok' }, task('CREATED'), () => {
    throw new Refused(200, 'GAME_OFFLINE', '该游戏正在维护')
  })
  await untilShown('将会读取')
  await tap('同意并授权')
  await untilShown('该游戏正在维护')
  expect(navigations).toEqual([])
  expect(shown()).toContain('苹果QQ')
})

const withCode = keysOf(taskFailText).map((failCode) => [failCode, nextSteps[failCode][0]] as const)
it.each(withCode)('%s: shows the reason and that it costs nothing; the next step is %s', async (failCode, next) => {
  const failMsg = taskFailText[failCode]
  await open({ taskId: 't1' }, task('FAILED', { failCode, failMsg, orderId: 'o1' }))
  await untilShown(failMsg)
  await untilShown(copyOfCollection.free)
  await tap({ again: copyOfCollection.again, fill: copyOfCollection.fillSelf, human: copyOfCollection.human }[next])
  await until(() => navigations.length > 0, 'a move')
  const pages = {
    again: `replace ${PATH}?gameId=hok&orderId=o1`,
    fill: 'replace /pages/evaluation/fillInInfo/index?gameId=hok&mode=AI',
    human: 'replace /pages/evaluation/fillInInfo/index?gameId=hok&mode=MANUAL',
  }
  expect(navigations).toEqual([pages[next]])
})

it('a task that was cancelled in another tab says so and keeps no data', async () => {
  await open({ taskId: 't1' }, task('CANCELED'))
  await untilShown(copyOfCollection.canceledNote)
})

it('the collected data is deleted after a question', async () => {
  const server = await open({ taskId: 't1' }, task('SUCCESS', { orderId: 'o1' }), () =>
    task('SUCCESS', { forgotten: true }),
  )
  await untilShown('撤销授权并删除采集数据')
  await tap('撤销授权并删除采集数据')
  await tap('删除')
  await untilShown('采集数据已删除')
  expect(server.seen.find(({ call }) => call === 'evaluation.taskCreate')?.req).toMatchObject({ action: 'FORGET' })
})
