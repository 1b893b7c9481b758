import type { ChatMessage, Order, Req, StaffCard } from '@/contract/types'
import { fakeStorage } from '@/platform/storage/fake'
import { page } from '@/router/page'
import { dispatch, startSession } from '@/session/store'
import { fakeServer, Refused } from '../../../test/fakes/api'
import { navigations } from '../../../test/fakes/navigation'
import { find, shown, tap, type, until, untilGone, untilShown } from '../../../test/fakes/screen'
import { openPage } from '../../../test/fakes/taro'
import { ChatScreen } from './ChatScreen'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())

const staff: StaffCard = {
  ...{ staffId: 's1', nick: '顾问 小安', avatar: '', wecomQr: '', kfUrl: '', corpId: '' },
  ...{ online: true, serviceHours: '09:00–24:00', avgReplySec: 40 },
}

/** A conversation as the server keeps it; new messages are delivered by `wakeReaders`. */
function conversation() {
  const all: ChatMessage[] = []
  const waiting: (() => void)[] = []
  let readSeq = 0
  let lost = false
  let held: Promise<void> | undefined
  const wakeReaders = () => {
    for (const go of waiting.splice(0)) go()
  }
  const say = (part: Partial<ChatMessage>) => {
    const message = {
      seq: all.length + 1,
      type: 'TEXT',
      from: 'STAFF',
      nick: '小林',
      text: '',
      at: Date.now(),
      ...part,
    } as ChatMessage
    all.push(message)
    return message
  }
  return {
    all,
    say,
    wakeReaders,
    see(seq: number) {
      readSeq = seq
      wakeReaders()
    },
    /** messages arrive at the server, but its responses are lost */
    lose: (yes: boolean) => {
      lost = yes
    },
    async messages({ after, before, wait, readSeq: known }: Req<'chat', 'messages'>) {
      if (after !== undefined && wait && !all.some((m) => m.seq > Number(after)) && Number(known) === readSeq)
        await new Promise<void>((go) => waiting.push(go))
      const list = all.filter((m) => m.seq > Number(after ?? 0) && m.seq < Number(before ?? Number.POSITIVE_INFINITY))
      const newest = after === undefined ? list.slice(-3) : list
      return { list: newest, readSeq, earlier: (newest[0]?.seq ?? 1) > 1 }
    },
    /** responses to sent messages are held back until the returned function is called */
    hold() {
      let go: () => void = () => undefined
      held = new Promise<void>((resolve) => {
        go = resolve
      })
      return go
    },
    async send({ clientId, type: kind, content, orderId }: Req<'chat', 'send'>) {
      await held
      const known = all.find((m) => m.clientId === clientId)
      const message = known ?? say({ from: 'USER', nick: undefined, type: kind, text: content, clientId, orderId })
      if (lost) throw new Refused(503, 'SERVICE_UNAVAILABLE', '服务暂不可用，请稍后再试')
      return message
    },
  }
}

type Talk = ReturnType<typeof conversation>
async function open(
  talk: Talk,
  { orderId = '', order, ask }: { orderId?: string; order?: Partial<Order>; ask?: string } = {},
) {
  const server = fakeServer({
    chat: { messages: talk.messages, send: talk.send },
    evaluation: { consultStaff: () => staff },
    user: { customerServiceByOrder: () => ({ ...staff, nick: '订单顾问', online: false }) },
    pay: { getInfo: () => order as Order },
  })
  const opened = await openPage(page('chat', ChatScreen), '/pages/chat/index', {
    ...(orderId && { orderId }),
    ...(ask && { ask }),
  })
  await untilShown('官方不会索要密码、验证码或保证金')
  return { ...server, leave: opened.unload }
}
const times = (text: string) => shown().split(text).length - 1

/** Drawings beside the messages, from the first on. */
const faces = () =>
  Array.from(
    document.querySelectorAll('.ch-line__face .ui-icon'),
    ({ className }) => /ui-icon--([a-z-]{2,})/.exec(className)?.[1],
  )

// jsdom has no layout to scroll
Element.prototype.scrollIntoView = () => undefined

beforeEach(() => {
  navigations.length = 0
  localStorage.clear()
  startSession(fakeStorage())
  dispatch({ type: 'loggedIn', token: 't', userId: 'u1', newUser: false })
})

it('shows who answers and when; sent messages appear at once, answers arrive on their own, read marks are shown', async () => {
  const talk = conversation()
  await open(talk)
  await untilShown('顾问 小安')
  expect(shown()).toContain('工作时间 09:00–24:00 · 平均约 40 秒回复')
  // the hours begin a new line rather than break at the dash
  expect(find('09:00–24:00')?.className).toBe('ui-unbroken')
  await untilShown('您好，关于估价')
  expect(faces()).toEqual(['headset'])
  await type('输入消息', '  这个价格怎么来的  ')
  await tap('发送')
  await untilShown('未读')
  expect(talk.all.map(({ text }) => text)).toEqual(['这个价格怎么来的'])
  talk.see(1)
  await untilShown('已读')
  talk.say({ text: '参考近 30 天的成交' })
  talk.wakeReaders()
  await untilShown('参考近 30 天的成交')
  expect(shown()).toContain('小林')
  expect(times('这个价格怎么来的')).toBe(1)
  // the first is the greeting's
  expect(faces()).toEqual(['headset', 'user', 'headset'])
})

it('an answer between two sent messages is not lost, whatever arrives first', async () => {
  const talk = conversation()
  await open(talk)
  await untilShown('您好，关于估价')
  // the staff's message is stored, but not yet delivered when the user's own message is acknowledged
  talk.say({ text: '稍等，我看看' })
  await type('输入消息', '在吗')
  await tap('发送')
  await until(() => talk.all.length === 2 && find('发送中…') === undefined, 'the send')
  talk.wakeReaders()
  await untilShown('稍等，我看看')
  const [first, second] = ['稍等，我看看', '在吗'].map((text) => shown().indexOf(text))
  expect(first).toBeLessThan(second as number)
  expect(times('在吗')).toBe(1)
})

it('a failed message is marked and resent with the same id: it is stored once', async () => {
  const talk = conversation()
  const server = await open(talk)
  await untilShown('您好，关于估价')
  talk.lose(true)
  await type('输入消息', '能退款吗')
  await tap('发送')
  await untilShown('服务暂不可用')
  talk.lose(false)
  await tap('重试')
  await untilShown('未读')
  await untilGone('服务暂不可用')
  expect(times('能退款吗')).toBe(1)
  expect(talk.all).toHaveLength(1)
  const ids = server.seen
    .filter(({ call }) => call === 'chat.send')
    .map(({ req }) => (req as { clientId: string }).clientId)
  expect(new Set(ids).size).toBe(1)
  expect(server.told).toEqual([])
})

it('typed text is restored after leaving, and not shown to another user', async () => {
  const box = () => document.querySelector<HTMLTextAreaElement>('.ch-composer textarea')?.value
  const first = await open(conversation())
  await untilShown('您好，关于估价')
  await type('输入消息', '还没写完')
  await first.leave()
  dispatch({ type: 'loggedIn', token: 't2', userId: 'u2', newUser: false })
  const other = await open(conversation())
  await until(() => box() !== undefined, 'the box')
  expect(box()).toBe('')
  await other.leave()
  dispatch({ type: 'loggedIn', token: 't', userId: 'u1', newUser: false })
  await open(conversation())
  await until(() => box() === '还没写完', 'the text')
})

it('earlier messages come page by page; cards lead to what they are about', async () => {
  const talk = conversation()
  for (const n of [1, 2, 3, 4, 5]) talk.say({ text: `第 ${n} 条` })
  const card = {
    orderId: 'o9',
    reportNo: 'r9',
    gameName: '王者荣耀',
    title: '王者荣耀 · 安卓QQ',
    mode: 'AI',
    statusText: '已出报告',
  } as const
  talk.say({ type: 'REPORT_CARD', from: 'USER', card })
  await open(talk)
  await untilShown('第 5 条')
  expect(shown()).not.toContain('第 3 条')
  await tap('更早的消息')
  await untilShown('第 1 条')
  expect(find('更早的消息')).toBeUndefined()
  await tap('王者荣耀 · 安卓QQ')
  await until(() => navigations.length > 0, 'a move')
  expect(navigations).toEqual(['push /pages/evaluation/report/index?orderId=o9'])
})

const delivered = {
  orderId: 'o1',
  title: '原神 · 官服',
  mode: 'MANUAL',
  status: 'REPORTED',
  appraiser: '小林',
  askUntil: Date.now() + 86_400_000,
} as const

it('a question goes to the order’s appraiser while the server accepts it, or to the staff by choice', async () => {
  const talk = conversation()
  await open(talk, { orderId: 'o1', ask: '1', order: { ...delivered, actions: ['ASK'] } })
  await untilShown('“原神 · 官服”的提问由估价师 小林 回答，可提问至')
  await type('输入消息', '现在从哪个渠道卖合适？')
  await tap('发送')
  await untilShown('未读')
  expect(talk.all[0]).toMatchObject({ orderId: 'o1', text: '现在从哪个渠道卖合适？' })
  const about = { orderId: 'o1', orderTitle: '原神 · 官服' }
  talk.say({ text: '寄售平台更稳妥', ...about })
  talk.say({ from: 'USER', text: '另一个号呢', ...about, orderTitle: '王者荣耀 · 安卓QQ' })
  talk.wakeReaders()
  for (const words of ['小林 · 估价师回答 · 原神 · 官服', '问估价师 · 王者荣耀 · 安卓QQ']) await untilShown(words)
  // the first is the greeting's
  expect(faces()).toEqual(['expert', 'user', 'expert', 'user'])
  await tap('改问顾问')
  await type('输入消息', '怎么开发票')
  await tap('发送')
  await until(() => talk.all.length === 4, 'the message')
  expect(talk.all[3]?.orderId).toBeUndefined()
})

it('when the time for questions is over, the page says so and the staff answers', async () => {
  const talk = conversation()
  await open(talk, { orderId: 'o1', ask: '1', order: { ...delivered, actions: ['VIEW'] } })
  await untilShown('报告出具后 7 天内可以向估价师提问。现在的消息由顾问回答。')
  await type('输入消息', '还在吗')
  await tap('发送')
  await until(() => talk.all.length === 1, 'the message')
  expect(talk.all[0]?.orderId).toBeUndefined()
})
