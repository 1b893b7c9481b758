import type { Message } from '@/contract/types'
import { pictures } from '@/platform/pictures'
import { fakePictures } from '@/platform/pictures/fake'
import { storage } from '@/platform/storage'
import { fakeStorage } from '@/platform/storage/fake'
import { page } from '@/router/page'
import { routes } from '@/router/routes'
import { DRAFT_LIFETIME_MS } from '@/session/drafts'
import { dispatch, startSession } from '@/session/store'
import { PERSISTED_INPUT_KEY } from '@/session/usePersistedInput'
import { fakeServer, Refused } from '../../../test/fakes/api'
import { navigations } from '../../../test/fakes/navigation'
import { box, find, shown, tap, type, until, untilBox, untilGone, untilShown } from '../../../test/fakes/screen'
import { flush, openPage } from '../../../test/fakes/taro'
import { FeedbackScreen } from './FeedbackScreen'
import { MessagesScreen } from './MessagesScreen'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())

beforeEach(() => {
  navigations.length = 0
  startSession(fakeStorage())
  dispatch({ type: 'loggedIn', token: 't', userId: 'u1', newUser: false })
})

describe('messages', () => {
  const message = (id: string, read: boolean): Message => ({
    id,
    type: 'REPORT_READY',
    title: `报告 ${id} 已出`,
    summary: '王者荣耀 · V8',
    body: `报告 ${id} 的全文`,
    bizType: 'REPORT',
    link: '/pages/evaluation/report/index?orderId=o1',
    read,
    createdAt: 1_763_692_800_000,
  })

  async function open() {
    let kept = [message('甲', false), message('乙', false), message('丙', true)]
    const server = fakeServer({
      user: {
        messages: ({ read, remove, pageNo = 1, pageSize = 10 }) => {
          kept = kept
            .filter(({ id }) => id !== remove)
            .map((m) => (read === 'ALL' || read === m.id ? { ...m, read: true } : m))
          return { list: kept, total: kept.length, pageNo, pageSize, unread: kept.filter((m) => !m.read).length }
        },
      },
    })
    await openPage(page('mineMessage', MessagesScreen), `/${routes.mineMessage.path}`, {})
    await untilShown('报告 甲 已出')
    return server
  }
  const dots = () => document.querySelectorAll('.msg__dot').length

  it('opening a message marks it read and follows its link; the rest are marked at once', async () => {
    const server = await open()
    expect(dots()).toBe(2)
    await tap('报告 甲 已出')
    await untilShown('报告 甲 的全文')
    await until(() => dots() === 1, 'one less')
    expect(server.seen.at(-1)?.req).toMatchObject({ read: '甲' })
    await tap('去看看')
    await until(() => navigations.length > 0, 'the report')
    expect(navigations.at(-1)).toContain('pages/evaluation/report/index?orderId=o1')
    await tap('全部已读')
    await until(() => dots() === 0, 'none left')
    expect(shown()).not.toContain('全部已读')
  })

  it.each([
    ['OFF', false],
    ['NORMAL', true],
  ] as const)('names what was paid only where something is for sale: %s', async (pay, isNamed) => {
    const paid = { ...message('丁', true), bizType: 'ORDER' as const, summary: '已支付 ¥19.90，报告已可查看' }
    fakeServer({
      app: { openPayStatus: () => ({ pay, help: false, ad: false, manual: true }) },
      user: { messages: () => ({ list: [paid], total: 1, pageNo: 1, pageSize: 10, unread: 0 }) },
    })
    await openPage(page('mineMessage', MessagesScreen), `/${routes.mineMessage.path}`, {})
    await untilShown(isNamed ? '已支付 ¥19.90，' : '已支付，')
    expect(shown().includes('¥')).toBe(isNamed)
  })

  it('opens what a message names at once when its text says no more than its row', async () => {
    fakeServer({
      user: {
        messages: async ({ pageNo = 1, pageSize = 10 }) => {
          const plain = { ...message('甲', true), body: '王者荣耀 · V8' }
          return { list: [plain], total: 1, pageNo, pageSize, unread: 0 }
        },
      },
    })
    await openPage(page('mineMessage', MessagesScreen), `/${routes.mineMessage.path}`, {})
    await tap('报告 甲 已出')
    await until(() => navigations.length > 0, 'the report')
    expect(navigations.at(-1)).toContain('pages/evaluation/report/index?orderId=o1')
  })

  it('deletes one message and keeps the others', async () => {
    const server = await open()
    await tap('删除：报告 乙 已出')
    await untilGone('报告 乙 已出')
    expect(server.seen.map(({ req }) => req)).toContainEqual(expect.objectContaining({ remove: '乙' }))
    expect(shown()).toContain('报告 丙 已出')
  })

  it('shows every message also when one was deleted before the next page was loaded', async () => {
    let kept = Array.from({ length: 12 }, (_, i) => message(`第${i + 1}条`, true))
    fakeServer({
      user: {
        messages: ({ remove, pageNo = 1, pageSize = 10 }) => {
          kept = kept.filter(({ id }) => id !== remove)
          const list = kept.slice((pageNo - 1) * pageSize, pageNo * pageSize)
          return { list, total: kept.length, pageNo, pageSize, unread: 0 }
        },
      },
    })
    await openPage(page('mineMessage', MessagesScreen), `/${routes.mineMessage.path}`, {})
    await untilShown('报告 第10条 已出')
    await tap('删除：报告 第1条 已出')
    await untilShown('报告 第11条 已出')
    await tap('加载更多')
    await untilShown('报告 第12条 已出')
    expect(shown()).not.toContain('报告 第1条 已出')
  })

  it('shows every message also when two were deleted one after the other', async () => {
    let kept = Array.from({ length: 23 }, (_, i) => message(`第${i + 1}条`, true))
    const waiting: (() => void)[] = []
    let slow = false
    fakeServer({
      user: {
        messages: async ({ remove, pageNo = 1, pageSize = 10 }) => {
          kept = kept.filter(({ id }) => id !== remove)
          const list = kept.slice((pageNo - 1) * pageSize, pageNo * pageSize)
          const answer = { list, total: kept.length, pageNo, pageSize, unread: 0 }
          if (slow && !remove) await new Promise<void>((resolve) => waiting.push(resolve))
          return answer
        },
      },
    })
    await openPage(page('mineMessage', MessagesScreen), `/${routes.mineMessage.path}`, {})
    await untilShown('报告 第10条 已出')
    await tap('加载更多')
    await untilShown('报告 第20条 已出')
    slow = true
    await tap('删除：报告 第1条 已出')
    await until(() => waiting.length === 2, 'the first reload')
    await tap('删除：报告 第2条 已出')
    await untilGone('报告 第2条 已出')
    slow = false
    for (const answer of waiting) answer()
    await untilShown('报告 第22条 已出')
    await tap('加载更多')
    await untilShown('没有更多了')
    expect(shown().match(/报告 第\d+条 已出/g)).toHaveLength(21)
  })

  it('shows every message also when one was deleted while the next page was loading', async () => {
    let kept = Array.from({ length: 24 }, (_, i) => message(`第${i + 1}条`, true))
    let late: Promise<void> | undefined
    const server = fakeServer({
      user: {
        messages: async ({ remove, pageNo = 1, pageSize = 10 }) => {
          kept = kept.filter(({ id }) => id !== remove)
          const list = kept.slice((pageNo - 1) * pageSize, pageNo * pageSize)
          const answer = { list, total: kept.length, pageNo, pageSize, unread: 0 }
          if (Number(pageNo) === 3) await late
          return answer
        },
      },
    })
    await openPage(page('mineMessage', MessagesScreen), `/${routes.mineMessage.path}`, {})
    await untilShown('报告 第10条 已出')
    await tap('加载更多')
    await untilShown('报告 第20条 已出')
    let answer = () => {}
    late = new Promise((resolve) => {
      answer = resolve
    })
    await tap('加载更多')
    await until(() => server.seen.some(({ req }) => Number((req as { pageNo?: string }).pageNo) === 3), 'page 3')
    await tap('删除：报告 第1条 已出')
    await untilShown('报告 第21条 已出')
    answer()
    await untilShown('报告 第24条 已出')
    expect(shown()).toContain('报告 第21条 已出')
  })

  it('a page of one type that comes late is not mixed with another type', async () => {
    const all = Array.from({ length: 12 }, (_, i) => message(`第${i + 1}条`, true))
    const notices = [{ ...message('公告', true), type: 'SYSTEM' as const }]
    const waiting: (() => void)[] = []
    fakeServer({
      user: {
        messages: async ({ type: only, pageNo = 1, pageSize = 10 }) => {
          if (Number(pageNo) === 2) await new Promise<void>((resolve) => waiting.push(resolve))
          const found = only ? notices : all
          const list = found.slice((pageNo - 1) * pageSize, pageNo * pageSize)
          return { list, total: found.length, pageNo, pageSize, unread: 0 }
        },
      },
    })
    await openPage(page('mineMessage', MessagesScreen), `/${routes.mineMessage.path}`, {})
    await untilShown('报告 第10条 已出')
    await tap('加载更多')
    await until(() => waiting.length === 1, 'page 2')
    await tap('系统公告')
    await untilShown('报告 公告 已出')
    waiting[0]?.()
    await flush()
    expect(shown().match(/报告 \S+ 已出/g)).toEqual(['报告 公告 已出'])
    expect(shown()).toContain('没有更多了')
    await tap('全部')
    await untilShown('报告 第10条 已出')
    expect(shown()).toContain('加载更多')
  })
})

describe('feedback', () => {
  async function open(submitFeedback: () => { id: string }, query: { type?: string } = {}) {
    const server = fakeServer({ user: { submitFeedback }, app: { feedbackUserCount: () => ({ n: 7 }) } })
    await openPage(page('mineUserFeedback', FeedbackScreen), `/${routes.mineUserFeedback.path}`, query)
    await untilBox('详细描述')
    return server
  }

  it('keeps what was typed through the other tab and an expired session, for this user only, until it is sent', async () => {
    await open(() => ({ id: 'f1' }))
    await tap('体验建议')
    await type('详细描述', '希望报告里可以按区服筛选')
    await tap('我的反馈')
    await untilGone('详细描述')
    await tap('写反馈')
    await untilBox('详细描述')
    expect(box('详细描述').value).toBe('希望报告里可以按区服筛选')
    const again = async (userId: string) => {
      dispatch({ type: 'loggedOut' })
      dispatch({ type: 'loggedIn', token: 't2', userId, newUser: false })
      await open(() => ({ id: 'f1' }))
      return box('详细描述').value
    }
    expect(await again('u2')).toBe('')
    expect(await again('u1')).toBe('希望报告里可以按区服筛选')
    await tap('提交反馈')
    await untilShown('谢谢您的反馈')
    expect(await again('u1')).toBe('')
  })

  it('typing does not renew what was typed elsewhere: after its time it is removed', async () => {
    const now = jest.spyOn(Date, 'now')
    const start = Date.now()
    await open(() => ({ id: 'f1' }))
    await type('详细描述', '希望报告里可以按区服筛选')
    const kept = () => JSON.parse(storage.get(PERSISTED_INPUT_KEY) ?? '{}')
    const { feedback } = kept().forms
    storage.set(PERSISTED_INPUT_KEY, JSON.stringify({ owner: 'u1', forms: { 'review:o1': feedback } }))
    now.mockReturnValue(start + DRAFT_LIFETIME_MS / 2)
    await type('详细描述', '希望报告里可以按大区筛选')
    expect(Object.keys(kept().forms)).toEqual(['review:o1', 'feedback'])
    now.mockReturnValue(start + DRAFT_LIFETIME_MS + 60_000)
    await open(() => ({ id: 'f1' }))
    expect(Object.keys(kept().forms)).toEqual(['feedback'])
    now.mockRestore()
  })

  it('the type that a link names replaces the one of the kept draft until another is picked', async () => {
    await open(() => ({ id: 'f1' }))
    await tap('体验建议')
    await type('详细描述', '报告里的价格和成交价差得太多')
    const server = await open(() => ({ id: 'f1' }), { type: '2' })
    expect(box('详细描述').value).toBe('报告里的价格和成交价差得太多')
    const picked = () => document.querySelector('[role=radio][aria-checked=true]')?.textContent
    expect(picked()).toBe('估价不准')
    await tap('体验建议')
    await tap('我的反馈')
    await untilGone('详细描述')
    await tap('写反馈')
    await untilBox('详细描述')
    expect(picked()).toBe('体验建议')
    await tap('提交反馈')
    await untilShown('谢谢您的反馈')
    expect(server.seen.at(-1)?.req).toMatchObject({ type: 4 })
  })

  it('names missing fields, keeps the typed text, and says when to expect an answer', async () => {
    let busy = true
    const server = await open(() => {
      if (busy) throw new Refused(406, 'REQUEST_TOO_BUSY_PLEASE_WAIT', '每天最多提交 10 条反馈，请明天再来')
      return { id: 'f1' }
    })
    await untilShown('已有 7 位用户反馈')
    await type('详细描述', '太短')
    await tap('提交反馈')
    await untilShown('请选择反馈类型')
    expect(shown()).toContain('请至少写 10 个字')
    await tap('体验建议')
    await type('详细描述', '希望报告里可以按区服筛选')
    await type('联系方式', '微信 abc')
    await tap('提交反馈')
    await untilShown('请求过于频繁，请稍后再试')
    expect(box('详细描述').value).toBe('希望报告里可以按区服筛选')
    busy = false
    await tap('提交反馈')
    await untilShown('谢谢您的反馈')
    expect(server.seen.at(-1)?.req).toEqual({
      type: 4,
      content: '希望报告里可以按区服筛选',
      images: [],
      contact: '微信 abc',
    })
  })
  describe('pictures', () => {
    const fake = fakePictures()
    beforeEach(() => {
      Object.assign(pictures, fake.pictures)
      storage.remove(PERSISTED_INPUT_KEY)
    })

    /** `store` is the storage's reaction to a picture. */
    async function choose(names: string[], store: () => Promise<number | Refused>) {
      fake.state.next = names
      const permit = { token: '{}', host: '/uploads', dir: 'u/1/', expireAt: Date.now() + 900_000, maxSize: 1 }
      const app = { stsPost: () => permit, feedbackUserCount: () => ({ n: 0 }) }
      const server = fakeServer(
        { app, user: { feedbackList: () => ({ list: [], total: 0, pageNo: 1, pageSize: 10 }) } },
        {},
        store,
      )
      const opened = await openPage(page('mineUserFeedback', FeedbackScreen), `/${routes.mineUserFeedback.path}`, {})
      await untilBox('详细描述')
      await tap('图片，添加图片')
      return { ...server, ...opened }
    }

    it('say that the storage is full, and are sent again', async () => {
      let full = true
      await choose(['a'], async () => {
        return full ? new Refused(403, 'UPLOAD_QUOTA', '您的图片空间已满，请先删除旧的图片') : 204
      })
      await untilShown('您的图片空间已满，请先删除旧的图片')
      await type('详细描述', '希望报告里可以按区服筛选')
      await tap('提交反馈')
      await untilShown('有图片上传失败，请重试或删除')
      full = false
      await tap('第 1 张，重试')
      await until(() => find('第 1 张，查看大图') !== undefined, 'the picture')
    })

    it('that are still being uploaded are given up with the form; no other is sent and none is kept', async () => {
      let uploads = 0
      const { aborted, unload } = await choose(['a', 'b'], () => {
        uploads++
        return new Promise(() => undefined)
      })
      await until(() => uploads === 1, 'the upload')
      await unload()
      await flush()
      expect(aborted.map(({ url }) => new URL(url).pathname)).toEqual(['/uploads'])
      await open(() => ({ id: 'f1' }))
      expect(find('第 1 张，查看大图')).toBeUndefined()
      expect(uploads).toBe(1)
    })
  })
})
