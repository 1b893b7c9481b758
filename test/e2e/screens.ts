/** Every screen of the app with content: an account that has used every feature once, and the address of each page. */
import type { Page, Route } from 'playwright-core'
import { calls } from '@/contract/calls'
import { textScale } from '@/lib/textSize'
import { type RouteName, routes } from '@/router/routes'
import { type Login, login, payForReport, post, read, sandbox } from '../fakes/calls'
import type { RunningServer } from '../fakes/server'
import type { Phone } from './browser'
import { hok, hokAnswers, paid, valued } from './orders'
import { nextMobile, signIn } from './session'

const ORDER = '/app-api/api/evaluate/user/order'

export interface Screen {
  /** address without its host */
  path: string
  /** the visitor: the account with everything, a new account, or nobody logged in */
  as?: 'owner' | 'newcomer' | 'nobody'
  /** text that is on the page when it is complete */
  shows: string | RegExp
  /** opens a sheet or dialog on the page */
  open?: (page: Page) => Promise<void>
  /** shows the page's order as still being valued, a state too short for a screenshot */
  running?: boolean
}

/** State of one account, made by the server's own calls. */
async function live(server: RunningServer, mobile: string) {
  const who = await login(server, mobile)
  const { token } = who
  const manual = async (level: 'STD' | 'PRO') => {
    const req = { gameId: hok.gameId, schemaVersion: hok.schemaVersion, answers: hokAnswers, level }
    return (await post<{ orderId: string }>(server, calls.evaluation.submitManual.path, req, token)).orderId
  }
  const [open, other] = [await valued(server, who, { heroCount: 70 }), await valued(server, who, { heroCount: 80 })]
  for (const orderId of [open, other]) await payForReport(server, token, orderId)
  const expert = await manual('PRO')
  await post(server, `${ORDER}/create/pre`, { orderId: expert, couponId: '' }, token)
  await paid(server, who, expert)
  await sandbox(server, 'desk/report', { orderId: expert, priceFen: 258_000, comment: '皮肤齐全，区服热门。' })
  // after the delivery of the expert's report, which unlocks the account's other reports
  const locked = await valued(server, who, { heroCount: 60 })
  const { recordId } = await read<{ recordId: string }>(
    server,
    '/app-api/report/unlock/order/unlock/record',
    { orderId: locked },
    token,
  )
  const unpaid = await manual('STD')
  const shared = await read<{ url: string }>(server, `${ORDER}/get/report-image/share`, { orderId: open }, token)
  const embedded = await read<{ url: string }>(
    server,
    `${ORDER}/get/report-image/share`,
    { orderId: open, embed: true as never },
    token,
  )
  const news = await post<{ list: { id: string }[] }>(server, '/app-api/information/page', { type: 'NEWS' })
  const path = (url: string) => url.replace(/^https?:\/\/[^/]+/, '')
  return {
    who,
    locked,
    open,
    other,
    expert,
    unpaid,
    recordId,
    shared: path(shared.url),
    embedded: path(embedded.url),
    article: news.list[0]?.id ?? '',
  }
}

export type World = Awaited<ReturnType<typeof live>> & { newcomer: Login }

/** @param mobiles of the account with everything and of the new one */
export async function populate(server: RunningServer, mobiles = [nextMobile(), nextMobile()] as const): Promise<World> {
  return { ...(await live(server, mobiles[0])), newcomer: await login(server, mobiles[1]) }
}

const REPORT = '/pages/evaluation/report/index'
const FORM = '/pages/evaluation/fillInInfo/index'

/** Every route, once. */
export function pages(w: World): Record<RouteName, Screen> {
  const urlOf = (name: RouteName, query = '') => `/${routes[name].path}${query && `?${query}`}`
  return {
    home: { path: urlOf('home'), shows: '估价仅供参考，不构成收购承诺' },
    evaluation: { path: urlOf('evaluation'), shows: '王者荣耀' },
    mine: { path: urlOf('mine'), shows: '优惠券' },
    evaluationChooseGame: { path: urlOf('evaluationChooseGame', 'mode=AI'), shows: '原神' },
    evaluationFillInInfo: { path: urlOf('evaluationFillInInfo', 'gameId=hok&mode=AI'), shows: '提交估价' },
    evaluationFillInInfoRpaWebview: { path: urlOf('evaluationFillInInfoRpaWebview', 'gameId=ys'), shows: '将会读取' },
    evaluationFillInInfoSuccess: {
      path: urlOf('evaluationFillInInfoSuccess', `orderId=${w.open}`),
      shows: '提交成功',
      running: true,
    },
    humanCheckout: { path: urlOf('humanCheckout', `orderId=${w.unpaid}`), shows: '支付 ¥' },
    humanPaySuccess: { path: urlOf('humanPaySuccess', `orderId=${w.expert}`), shows: '报告已完成' },
    chat: { path: urlOf('chat', `orderId=${w.open}`), shows: '发送' },
    payment: { path: urlOf('payment', `orderId=${w.unpaid}`), shows: '支付 ¥' },
    report: { path: urlOf('report', `orderId=${w.open}`), shows: '相近的成交' },
    reportScreenShot: { path: urlOf('reportScreenShot', `orderId=${w.open}`), shows: '保存' },
    reportDownload: { path: urlOf('reportDownload', `orderId=${w.open}`), shows: /PDF.*KB/ },
    reportHighQuality: { path: urlOf('reportHighQuality'), as: 'nobody', shows: '报告' },
    reportUnlockInvite: { path: urlOf('reportUnlockInvite', `orderId=${w.locked}`), shows: '已助力' },
    reportUnlockAccept: {
      path: urlOf('reportUnlockAccept', `recordId=${w.recordId}`),
      as: 'newcomer',
      shows: '帮TA解锁',
    },
    reportWxIframe: { path: w.embedded, as: 'nobody', shows: '报告信息' },
    webview: { path: urlOf('webview', `url=${encodeURIComponent('https://example.com/')}`), shows: '网页' },
    iosApp: { path: urlOf('iosApp'), shows: '价格如何计算' },
    loginH5: { path: urlOf('loginH5'), as: 'nobody', shows: '获取验证码' },
    loginH5ResetPwd: { path: urlOf('loginH5ResetPwd'), as: 'nobody', shows: '保存新密码' },
    loginWx: { path: urlOf('loginWx'), as: 'nobody', shows: '登录' },
    loginWxSms: { path: urlOf('loginWxSms'), as: 'nobody', shows: '登录' },
    mineCouponRecords: { path: urlOf('mineCouponRecords'), shows: '新人体验券' },
    mineEvaluationRecords: { path: urlOf('mineEvaluationRecords'), shows: '王者荣耀' },
    mineEvaluationEvaluate: { path: urlOf('mineEvaluationEvaluate', `orderId=${w.expert}`), shows: '提交评价' },
    mineMessage: { path: urlOf('mineMessage'), shows: '新人体验券' },
    mineRealName: { path: urlOf('mineRealName'), as: 'newcomer', shows: '身份证' },
    mineRealNameResult: { path: urlOf('mineRealNameResult'), shows: '实名' },
    mineSetting: { path: urlOf('mineSetting'), shows: '登录设备' },
    mineSettingPassword: { path: urlOf('mineSettingPassword'), shows: '新密码' },
    mineUserFeedback: { path: urlOf('mineUserFeedback'), shows: '提交' },
    article: { path: urlOf('article', 'key=METHOD'), as: 'nobody', shows: '估价' },
    helpCenter: { path: urlOf('helpCenter'), shows: '没有解决您的问题？' },
    couponCenter: { path: urlOf('couponCenter'), as: 'nobody', shows: '领取' },
    news: { path: urlOf('news'), as: 'nobody', shows: '资讯' },
    newsDetail: { path: urlOf('newsDetail', `id=${w.article}`), as: 'nobody', shows: '资讯' },
    listingGuidelines: { path: urlOf('listingGuidelines', 'gameId=hok'), as: 'nobody', shows: '上架' },
    contrastAnalysis: { path: urlOf('contrastAnalysis', `orderIds=${w.open},${w.other}`), shows: '逐项对比' },
    test: { path: urlOf('test'), as: 'nobody', shows: '组件陈列' },
  }
}

const shown = (page: Page, words: string | RegExp) => page.getByText(words).filter({ visible: true }).first()
const tap = (words: string | RegExp) => async (page: Page) => {
  await shown(page, words).tap()
  await page.getByRole('dialog').waitFor()
}

/** Other states of the pages, and the sheets that open on them. */
export function states(w: World): Record<string, Screen> {
  const ai = `${FORM}?gameId=hok&mode=AI`
  return {
    'report, locked': { path: `${REPORT}?orderId=${w.locked}`, shows: '解锁完整报告' },
    'report of two appraisers': { path: `${REPORT}?orderId=${w.expert}`, shows: '2,580' },
    'report of a friend': { path: w.shared, as: 'newcomer', shows: '相近的成交' },
    'report, empty excellent list': {
      path: `/${routes.reportHighQuality.path}?gameId=hok`,
      as: 'nobody',
      shows: '报告',
    },
    'form for appraisers': { path: `${FORM}?gameId=hok&mode=MANUAL`, shows: '下一步' },
    'records of somebody new': {
      path: `/${routes.mineEvaluationRecords.path}`,
      as: 'newcomer',
      shows: '还没有估价记录',
    },
    'sheet: ranks': { path: ai, shows: '段位', open: tap('请选择') },
    'sheet: paste': { path: ai, shows: '段位', open: tap('粘贴') },
    'sheet: unlock': { path: `${REPORT}?orderId=${w.locked}`, shows: '解锁完整报告', open: tap('解锁完整报告') },
    'sheet: share': { path: `${REPORT}?orderId=${w.open}`, shows: '相近的成交', open: tap(/^分享$/) },
    'sheet: devices': { path: `/${routes.mineSetting.path}`, shows: '登录设备', open: tap('登录设备') },
    'sheet: coupons': {
      path: `/${routes.humanCheckout.path}?orderId=${w.unpaid}`,
      shows: '支付 ¥',
      open: tap('优惠券'),
    },
  }
}

/** Pages whose first screen shows a part of them only. */
export function longPages(w: World): Record<string, Screen> {
  const { home, evaluationFillInInfo, report } = pages(w)
  const accuracy = `/${routes.article.path}?key=ACCURACY`
  return {
    ...{ home, evaluationFillInInfo, report },
    'report of a visitor': { path: w.shared, as: 'nobody', shows: '相近的成交' },
    accuracy: { path: accuracy, as: 'nobody', shows: '半数估价误差' },
  }
}

/** The largest text a reader can set. */
const [LARGEST] = Object.entries(textScale).reduce((a, b) => (b[1] > a[1] ? b : a))

/** Stores the largest text size, as the settings page does. */
export async function setLargest(page: Page, server: RunningServer) {
  // a page without the app, which would overwrite this state with its own
  await page.goto(`${server.url}/healthz`)
  await page.evaluate((textSize) => {
    const { data, ...rest } = JSON.parse(localStorage.getItem('gav.app') ?? '{"version":1}')
    localStorage.setItem('gav.app', JSON.stringify({ ...rest, data: { ...data, textSize } }))
  }, LARGEST)
}

/** Signs that visitor in on the phone. */
export async function handTo(phone: Phone, server: RunningServer, w: World, as: Screen['as'] = 'owner') {
  if (as === 'nobody') return
  await signIn(phone.page, server, JSON.stringify({ version: 1, data: as === 'owner' ? w.who : w.newcomer }))
}

/** The response for an order being valued, derived from that of the finished order. */
async function stillRunning(route: Route) {
  const response = await route.fetch()
  const { data, ...rest } = await response.json()
  await route.fulfill({ response, json: { ...rest, data: { ...data, status: 'PROCESSING', actions: [] } } })
}

const ORDER_INFO = '**/app-api/**/get/info*'

/** Opens a screen and waits until it is complete. */
export async function show(page: Page, server: RunningServer, { path, shows, open, running }: Screen) {
  await page.unroute(ORDER_INFO)
  if (running) await page.route(ORDER_INFO, stillRunning)
  await page.goto(server.url + path)
  await shown(page, shows).waitFor()
  await page.waitForFunction(() => document.querySelector('.ui-bone, .ui-skeleton') === null)
  await open?.(page)
}
