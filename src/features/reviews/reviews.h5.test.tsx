import { saleOutcomeText } from '@/contract/labels'
import type { Order, ValuationEvaluation } from '@/contract/types'
import { fakeStorage } from '@/platform/storage/fake'
import { page } from '@/router/page'
import { sampleOrder } from '@/samples/order'
import { dispatch, startSession } from '@/session/store'
import { fakeServer, Refused } from '../../../test/fakes/api'
import { box, find, shown, tap, type, until, untilBox, untilGone, untilShown } from '../../../test/fakes/screen'
import { act, flush, openPage } from '../../../test/fakes/taro'
import { copy } from './copy'
import { fenOf } from './model'
import { ReviewScreen } from './ReviewScreen'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())
jest.mock('@/platform/dialog', () => ({ dialog: { toast: jest.fn() } }))
// choosing and uploading have tests of their own: here a tap is an uploaded picture
let mockPending: string | undefined
jest.mock('@/api/usePictures', () => ({
  usePictureUrls: (keys: string[]) => keys.map((key) => `blob:${key}`),
  usePictures: ({ keys, onKeys, max }: { keys: string[]; onKeys: (keys: string[]) => void; max: number }) => ({
    pending: mockPending,
    picker: { items: [], max, onAdd: () => onKeys([...keys, 'u/u1/a.jpg']) },
  }),
}))

const order = (over: Partial<Order> = {}) =>
  sampleOrder({ title: '账号1', status: 'UNLOCKED', actions: ['VIEW', 'EVALUATE'], ...over })
const open = () =>
  openPage(page('mineEvaluationEvaluate', ReviewScreen), '/pagesA/pages/mine/evaluation/evaluate/index', {
    orderId: 'o1',
  })

beforeEach(() => {
  mockPending = undefined
  startSession(fakeStorage())
  dispatch({ type: 'loggedIn', token: 't', userId: 'u1', newUser: false })
})

it('asks for what is missing, keeps all that was typed when sending fails, then only reads', async () => {
  let broken = true
  const server = fakeServer({
    pay: { getInfo: () => order() },
    evaluation: {
      getEvaluation: () => null,
      saveEvaluation: (req) => {
        if (broken) throw new Refused(502, 'INTERNAL_ERROR')
        return { ...req, createdAt: 1_763_692_800_000 }
      },
    },
  })
  await open()
  await untilShown('总体评价')
  expect(shown()).toContain('提交后不能修改，可以追加一次')
  await tap('提交评价')
  expect(shown()).toContain('请先选择星级')
  await tap('4 星，满意')
  await tap('偏低')
  for (const tag of ['价格合理', '依据清楚', '区间准确', '速度快', '服务耐心', '资料难填']) await tap(tag)
  await type('说说您的看法', '总体可信，皮肤略低')
  await tap('提交评价')
  await untilShown('服务器无响应')
  expect(box('说说您的看法').value).toBe('总体可信，皮肤略低')
  broken = false
  await tap('提交评价')
  await untilShown('提交追评')
  expect(server.seen.filter(({ call }) => call === 'evaluation.saveEvaluation').pop()?.req).toEqual({
    orderId: 'o1',
    score: 4,
    accuracy: 'LOW',
    tags: ['价格合理', '依据清楚', '区间准确', '速度快', '服务耐心'],
    content: '总体可信，皮肤略低',
  })
  expect(find('提交评价')).toBeUndefined()
})

it('one addition of words or pictures, then the form is gone', async () => {
  const review: ValuationEvaluation = {
    ...{ orderId: 'o1', score: 2, accuracy: 'HIGH', createdAt: 1_763_692_800_000 },
    coupon: 'GIVEN',
  }
  const server = fakeServer({
    pay: { getInfo: () => order({ evaluated: true }) },
    evaluation: {
      getEvaluation: () => ({ ...review, images: ['u/u1/first.jpg'] }),
      saveEvaluation: ({ images }) => ({ ...review, addition: '', additionImages: images, addedAt: 1_763_779_200_000 }),
    },
  })
  await open()
  await untilShown('已送您一张体验券')
  expect(find('第 1 张图片')).toBeDefined()
  await tap('提交追评')
  await untilShown('请填写追评内容或添加图片')
  await tap('图片，添加图片')
  await tap('提交追评')
  await until(() => find('提交追评') === undefined, 'the end of the addition')
  expect(shown()).toContain('追评')
  expect(server.seen.filter(({ call }) => call === 'evaluation.saveEvaluation').map(({ req }) => req)).toEqual([
    { orderId: 'o1', score: 2, accuracy: 'HIGH', content: '', images: ['u/u1/a.jpg'] },
  ])
})

it.each<[string, Partial<Order & ValuationEvaluation>, string | undefined]>([
  [
    'a person looks again',
    { mode: 'MANUAL', status: 'REVALUING', actions: ['VIEW', 'URGE'] },
    '估价师正在免费重新核对',
  ],
  ['nobody does any more', { mode: 'MANUAL', status: 'DONE' }, undefined],
  ['a manual report earned a coupon', { mode: 'MANUAL', status: 'DONE', coupon: 'GIVEN' }, '已送您一张体验券'],
  ['the coupon ended with the refund', { status: 'DONE', coupon: 'REVOKED' }, '赠送的体验券已失效'],
  ['no coupon could be given', { payStatus: 'PAID', payFen: 390 }, undefined],
  ['a free report was not bought', { payStatus: 'UNPAID', payFen: 0 }, undefined],
])('after a complaint it promises only what was granted: %s', async (_what, { coupon, ...over }, words) => {
  fakeServer({
    pay: { getInfo: () => order({ evaluated: true, ...over }) },
    evaluation: {
      getEvaluation: () => ({ orderId: 'o1', score: 1, accuracy: 'HIGH', createdAt: 0, ...(coupon && { coupon }) }),
    },
  })
  await open()
  await untilShown(words ?? '总体评价')
  if (!words) expect(shown()).not.toContain('很抱歉')
})

describe('what submitting does to the free revaluation of an appraiser’s report', () => {
  const reported: Partial<Order> = { mode: 'MANUAL', status: 'REPORTED', actions: ['VIEW', 'EVALUATE', 'REVALUE'] }
  const openReview = async (over: Partial<Order>) => {
    const server = fakeServer({
      pay: { getInfo: () => order(over) },
      evaluation: { getEvaluation: () => null, saveEvaluation: (req) => ({ ...req, createdAt: 1_763_692_800_000 }) },
    })
    await open()
    await untilShown('总体评价')
    return server
  }

  /** Speed and service have stars of the same names below. */
  const tapScore = async (star: string) => {
    const stars = document.querySelector<HTMLElement>(`[aria-label="${star}"]`)
    await act(() => stars?.click())
    await flush()
  }

  it('is said below the stars; a bad rating must say what is wrong', async () => {
    const server = await openReview(reported)
    expect(shown()).not.toContain('免费复估')
    await tapScore('3 星，一般')
    expect(shown()).toContain('提交后订单完成，不能再申请免费复估')
    await tapScore('2 星，不满意')
    expect(shown()).toContain('估价师会按这条评价免费复估一次（仅此一次）')
    expect(shown()).not.toContain('提交后订单完成')
    await tap('差不多')
    await tap('提交评价')
    expect(shown()).toContain('请写明哪里不满意')
    expect(server.seen.some(({ call }) => call === 'evaluation.saveEvaluation')).toBe(false)
    await type('说说您的看法', '漏算了皮肤')
    await tap('提交评价')
    await until(() => server.seen.some(({ call }) => call === 'evaluation.saveEvaluation'), 'the rating')
  })

  it.each<[string, Partial<Order>]>([
    ['it has been used', { ...reported, actions: ['VIEW', 'EVALUATE'] }],
    ['the report is no longer valid', { mode: 'MANUAL', status: 'DONE', actions: ['VIEW', 'EVALUATE', 'REVALUE'] }],
    ['the model valued it', { status: 'EXPIRED', actions: ['VIEW', 'EVALUATE', 'REVALUE'] }],
  ])('is not mentioned where there is none: %s', async (_why, over) => {
    const server = await openReview(over)
    for (const star of ['4 星，满意', '1 星，很不满意']) {
      await tapScore(star)
      expect(shown()).not.toMatch(/复估|订单完成/)
    }
    await tap('差不多')
    await tap('提交评价')
    await until(() => server.seen.some(({ call }) => call === 'evaluation.saveEvaluation'), 'the rating')
  })
})

it('an order without a report cannot be reviewed', async () => {
  fakeServer({
    pay: { getInfo: () => order({ status: 'PROCESSING', actions: [] }) },
    evaluation: { getEvaluation: () => null },
  })
  await open()
  await untilShown('报告出来后就可以评价')
})

it.each([
  ['2050.5', 205_050],
  ['0.29', 29],
  ['1999999', undefined],
  ['0', undefined],
  ['', undefined],
  ['1.234', undefined],
  ['-5', undefined],
])('typed yuan %j are %j fen', (text, fen) => expect(fenOf(text)).toBe(fen))

describe('卖出回访', () => {
  const asked = {
    ...{ orderId: 'o1', gameId: 'hok', gameName: '王者荣耀', title: '账号1', predictFen: 200_000 },
    ...{ reportedAt: 1_763_692_800_000, thanked: false },
  }
  const openSale = () =>
    openPage(page('mineEvaluationEvaluate', ReviewScreen), '/pagesA/pages/mine/evaluation/evaluate/index', {
      ...{ orderId: 'o1', tab: 'sale' },
    })

  it('asks for price, day and consent, keeps what was typed when it is refused, then shows the answer', async () => {
    let refuses = true
    const server = fakeServer({
      sale: {
        followUp: () => asked,
        report: ({ consent: _, orderId: __, ...answer }) => {
          if (refuses) throw new Refused(400, 'VALIDATION_FAILED')
          return { ...asked, answer: { ...answer, toldAt: 1_763_692_800_000 }, thanked: true }
        },
      },
    })
    await openSale()
    await untilShown('账号卖出了吗')
    await tap('提交')
    expect(shown()).toContain('请选择卖出情况')
    await tap('已卖出')
    await type('成交价', '0.05')
    await type('几天前卖出', '3')
    await tap('提交')
    expect(shown()).toContain('请输入 1 元以上的价格')
    await type('成交价', '1980.5')
    await tap('提交')
    expect(shown()).toContain('请先同意用途说明')
    expect(server.seen.some(({ call }) => call === 'sale.report')).toBe(false)
    await tap(copy.sale.consent)
    await tap('提交')
    await until(() => server.seen.some(({ call }) => call === 'sale.report'), 'the answer')
    expect(box('成交价').value).toBe('1980.5')
    refuses = false
    await tap('提交')
    await untilShown(copy.sale.update)
    const told = server.seen.filter(({ call }) => call === 'sale.report').pop()?.req as Record<string, unknown>
    expect(told).toEqual({
      orderId: 'o1',
      outcome: 'SOLD',
      soldFen: 198_050,
      soldAt: expect.any(Number),
      consent: true,
    })
    expect(Date.now() - Number(told.soldAt)).toBeGreaterThanOrEqual(3 * 86_400_000 - 60_000)
    expect(shown()).toContain('体验券已放入卡券')
  })

  it('a failed picture no longer prevents sending once its field is gone', async () => {
    mockPending = '有图片上传失败，请重试或删除'
    fakeServer({ sale: { followUp: () => asked } })
    await openSale()
    await untilShown('账号卖出了吗')
    await tap('已卖出')
    await untilShown('有图片上传失败')
    await tap(saleOutcomeText.KEPT)
    await untilGone('有图片上传失败')
    await tap('提交')
    expect(shown()).toContain('请先同意用途说明')
  })

  it('an earlier answer is in the form, to be changed', async () => {
    const answer = { outcome: 'SOLD' as const, soldFen: 150_000, toldAt: 1_763_692_800_000 }
    fakeServer({ sale: { followUp: () => ({ ...asked, answer }) } })
    await openSale()
    await untilBox('成交价')
    expect(box('成交价').value).toBe('1500')
    expect(shown()).toContain('情况有变可以更新')
  })
})
