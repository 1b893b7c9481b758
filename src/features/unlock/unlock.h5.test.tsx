import type { OpenPayStatus, UnlockHelp, UnlockRecord } from '@/contract/types'
import { fakeStorage } from '@/platform/storage/fake'
import { page } from '@/router/page'
import { dispatch, startSession } from '@/session/store'
import { fakeServer, Refused } from '../../../test/fakes/api'
import { navigations } from '../../../test/fakes/navigation'
import { find, shown, tap, until, untilShown } from '../../../test/fakes/screen'
import { openPage } from '../../../test/fakes/taro'
import { AcceptScreen } from './AcceptScreen'
import { InviteScreen } from './InviteScreen'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())

const friend = { avatar: '', nickMasked: '玩**8', at: 0 }
const record = (over: Partial<UnlockRecord> = {}): UnlockRecord => ({
  ...{ recordId: 'r1', orderId: 'o1', need: 3, got: 1, status: 'ONGOING', helpers: [friend], restartsLeft: 2 },
  // the phone's clock is a day behind the server's
  ...{ now: Date.now() + 86_400_000, expireAt: Date.now() + 86_400_000 + 83_405_000 },
  ...over,
})
const seen = (over: Partial<UnlockHelp> = {}): UnlockHelp => {
  const { orderId: _, restartsLeft: __, ...shared } = record()
  return { ...shared, ownerNickMasked: '峡**客', gameId: 'hok', gameName: '王者荣耀', ...over }
}
const status: OpenPayStatus = { pay: 'NORMAL', help: true, ad: false, manual: true }
const price = { originFen: 390, discountFen: 0, payFen: 390, coupons: [], payExpireAt: 0, agreeUrl: '' }

beforeEach(() => {
  navigations.length = 0
  startSession(fakeStorage())
  dispatch({ type: 'loggedIn', token: 't', userId: 'u1', newUser: false })
})

type Ask = { orderId: string; restart?: unknown; client?: string }
async function invite(answer: (req: Ask) => UnlockRecord, open: OpenPayStatus = status) {
  const server = fakeServer({
    app: { openPayStatus: () => open },
    pay: { createAiPre: () => price },
    evaluation: { unlockRecord: answer },
  })
  const url = '/pages/evaluation/report/unlock/invite'
  const opened = await openPage(page('reportUnlockInvite', InviteScreen), url, { orderId: 'o1' })
  return { ...server, opened }
}

describe('the owner', () => {
  it('shows the progress and all ways to unlock, and celebrates once when done', async () => {
    let now = record()
    const server = await invite(() => now)
    await untilShown('已助力 1/3')
    // 23:10:05 by the server's clock, whatever the phone's says
    expect(shown()).toMatch(/剩余 23:(10:0|09:)/)
    expect(shown()).toContain('玩**8')
    await untilShown('支付 ¥3.90 解锁')
    expect(shown()).not.toContain('看广告')
    await tap('支付 ¥3.90 解锁')
    expect(navigations.pop()).toBe('push /pages/evaluation/payment/index?orderId=o1')
    now = record({ got: 3, status: 'DONE', helpers: [friend, friend, friend] })
    await untilShown('解锁成功')
    await until(() => navigations.length > 0, 'the report')
    expect(navigations).toEqual(['replace /pages/evaluation/report/index?orderId=o1'])
    expect(server.told).toEqual([])
    // again: straight to the report
    navigations.length = 0
    await invite(() => now)
    await until(() => navigations.length > 0, 'the report')
    expect(shown()).not.toContain('解锁成功')
  })

  it('is shared from the host’s menu as an invitation, and as home where nobody can be invited', async () => {
    const { opened } = await invite(() => record())
    await untilShown('已助力 1/3')
    expect(opened.share()).toMatchObject({
      ...{ title: '帮我解锁一份估价报告', path: '/pages/evaluation/report/unlock/accept?recordId=r1' },
    })
    const closed = await invite(() => record(), { ...status, help: false, ad: true })
    await untilShown('看广告')
    expect(closed.opened.share()).toMatchObject({ path: '/pages/home/index' })
  })

  it('can be restarted after it expired, up to the limit', async () => {
    const asked: Ask[] = []
    await invite((req) => {
      asked.push(req)
      return req.restart
        ? record({ got: 0, helpers: [], restartsLeft: 0 })
        : record({ status: 'EXPIRED', restartsLeft: 1 })
    })
    await untilShown('本次助力已过期')
    expect(asked[0]?.client).toMatch(/^[0-9a-f-]{36}$/)
    expect(asked[0]).not.toHaveProperty('restart')
    await tap('重新发起（还可 1 次）')
    await untilShown('已助力 0/3')
    expect(asked.filter(({ restart }) => restart)).toHaveLength(1)
  })

  it('of a report that does not exist says so and leads to the records', async () => {
    await invite(() => {
      throw new Refused(404, 'NOT_FOUND')
    })
    await untilShown('没有找到这份报告')
    expect(shown()).not.toContain('出错了')
    await tap('我的记录')
    expect(navigations).toEqual(['replace /pagesA/pages/mine/evaluation/records'])
  })

  it('of a report that needs nothing says so; where help is closed only the other methods are shown', async () => {
    await invite(() => {
      throw new Refused(200, 'ORDER_STATUS_CHANGED', '这份报告现在不需要解锁')
    })
    await untilShown('这份报告现在不需要解锁')
    await tap('查看报告')
    expect(navigations).toEqual(['replace /pages/evaluation/report/index?orderId=o1'])
    const server = await invite(() => record(), { ...status, help: false })
    await untilShown('支付 ¥3.90 解锁')
    expect(shown()).not.toContain('邀请好友')
    expect(server.seen.map(({ call }) => call)).not.toContain('evaluation.unlockRecord')
  })
})

describe('the helper', () => {
  const accept = async (look: () => UnlockHelp, help: () => UnlockHelp) => {
    const server = fakeServer({ evaluation: { unlockHelpList: look, unlockHelp: help } })
    await openPage(page('reportUnlockAccept', AcceptScreen), '/pages/evaluation/report/unlock/accept', {
      recordId: 'r1',
    })
    return server
  }

  it('sees who asks, for which game, what it does and does not do; helps, and may value an own account', async () => {
    const done = { got: 2, helpers: [friend, friend], helped: true }
    const server = await accept(seen, () => seen(done))
    await untilShown('峡**客 邀请您帮忙')
    for (const text of ['《王者荣耀》', '不会获取您的任何游戏信息', '没有奖励', '已助力 1/3'])
      expect(shown()).toContain(text)
    expect(shown()).not.toContain('¥')
    await tap('帮TA解锁')
    await untilShown('助力成功，谢谢您')
    expect(shown()).toContain('还差 1 位好友')
    expect(find('帮TA解锁')).toBeUndefined()
    await tap('我也要估价')
    expect(navigations).toEqual(['push /pages/evaluation/chooseGame'])
    expect(server.seen.filter(({ call }) => call === 'evaluation.unlockHelp')).toHaveLength(1)
  })

  it.each([
    ['HELP_SELF', '不能给自己助力'],
    ['HELP_DUPLICATE', '已助力过'],
    ['HELP_LIMIT', '今日次数已用完'],
    ['HELP_EXPIRED', '已过期'],
    ['HELP_DONE', '已解锁成功'],
    ['HELP_RISK', '账号异常'],
  ])('%s has its own sentence', async (code, text) => {
    await accept(seen, () => {
      throw new Refused(200, code, '这台设备已经助力过')
    })
    await untilShown('帮TA解锁')
    await tap('帮TA解锁')
    await untilShown(text)
    // three rules share the last code: the server says which
    expect(shown().includes('这台设备已经助力过')).toBe(code === 'HELP_RISK')
    expect(find('帮TA解锁')).toBeUndefined()
    expect(shown()).toContain('我也要估价')
  })

  it('shows before a tap when help is not needed; a failed connection keeps the button', async () => {
    await accept(() => seen({ ownOrderId: 'o1' }), seen)
    await untilShown('不能给自己助力')
    await tap('查看助力进度')
    expect(navigations).toEqual(['replace /pages/evaluation/report/unlock/invite?orderId=o1'])
    await accept(seen, () => {
      throw new Refused(503, 'SERVICE_UNAVAILABLE', '')
    })
    await untilShown('帮TA解锁')
    await tap('帮TA解锁')
    await untilShown('请联系客服')
    expect(find('帮TA解锁')).toBeDefined()
  })
})
