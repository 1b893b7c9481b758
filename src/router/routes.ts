import {
  ARTICLE_PAGE,
  CHAT_PAGE,
  COUPON_RECORDS_PAGE,
  EMBED_PAGE,
  FEEDBACK_PAGE,
  H5_LOGIN_PAGE,
  HOME_PAGE,
  INVITE_PAGE,
  PAY_SUCCESS_PAGE,
  PAYMENT_PAGE,
  RECORDS_PAGE,
  REPORT_PAGE,
  REVIEW_PAGE,
  SETTINGS_PAGE,
  SMS_LOGIN_PAGE,
} from '../contract/pages'

/**
 * The one route table (spec §2): paths, packages, tabs, who may open, declared parameters, titles.
 * app.config, the guard, `nav`, page titles and the gallery read it. No React and no Taro import:
 * the build runs this file in Node.
 *
 * `open`: the guard lets it through without login (spec §2, "Open without login"; nothing else is open).
 * `params`: the only query keys a page receives; all others are dropped.
 */
export interface RouteDef {
  readonly path: string
  readonly title: string
  readonly open?: boolean
  readonly tab?: 0 | 1 | 2
  readonly params?: readonly string[]
}

const main = {
  home: { path: HOME_PAGE, title: '首页', open: true, tab: 0 },
  evaluation: { path: 'pages/evaluation/index', title: '估价', open: true, tab: 1, params: ['gameId'] },
  mine: { path: 'pages/mine/index', title: '我的', tab: 2 },
  evaluationChooseGame: {
    path: 'pages/evaluation/chooseGame',
    title: '选择游戏',
    params: ['mode', 'keyword'],
  },
  evaluationFillInInfo: {
    path: 'pages/evaluation/fillInInfo/index',
    title: '填写账号信息',
    // field: the question at which it opens
    params: ['gameId', 'mode', 'field'],
  },
  evaluationFillInInfoRpaWebview: {
    path: 'pages/evaluation/fillInInfo/rpaWebview',
    title: '授权读取',
    params: ['gameId', 'taskId', 'orderId'],
  },
  evaluationFillInInfoSuccess: {
    path: 'pages/evaluation/fillInInfo/success',
    title: '提交成功',
    params: ['orderId'],
  },
  humanCheckout: { path: 'pages/evaluation/human/checkout', title: '确认订单', params: ['orderId'] },
  humanPaySuccess: { path: PAY_SUCCESS_PAGE, title: '订单结果', params: ['orderId'] },
  // ask: messages are questions to the order's appraiser
  chat: { path: CHAT_PAGE, title: '在线咨询', params: ['orderId', 'ask'] },
  payment: { path: PAYMENT_PAGE, title: '收银台', params: ['orderId'] },
  report: {
    path: REPORT_PAGE,
    title: '估价报告',
    params: ['orderId', 'reportNo', 'shareToken'],
  },
  reportScreenShot: {
    path: 'pages/evaluation/report/screenShot',
    title: '报告图片',
    params: ['orderId'],
  },
  reportDownload: { path: 'pages/evaluation/report/download', title: '下载报告', params: ['orderId'] },
  reportHighQuality: {
    path: 'pages/evaluation/report/highQuality',
    title: '优秀报告',
    open: true,
    params: ['gameId'],
  },
  reportUnlockInvite: {
    path: INVITE_PAGE,
    title: '邀请助力',
    params: ['orderId'],
  },
  reportUnlockAccept: {
    path: 'pages/evaluation/report/unlock/accept',
    title: '帮好友解锁',
    params: ['recordId'],
  },
  reportWxIframe: {
    path: EMBED_PAGE,
    title: '估价报告',
    open: true,
    params: ['reportNo', 'shareToken'],
  },
  webview: {
    path: 'pages/home/webview/index',
    title: '网页',
    open: true,
    params: ['url', 'title', 'taskId'],
  },
} as const satisfies Record<string, RouteDef>

/** Sub-package `pagesA`; paths are relative to the app root, as on h5. */
const pagesA = {
  iosApp: { path: 'pagesA/pages/iosApp/index', title: '游戏账号估价专家' },
  loginH5: { path: H5_LOGIN_PAGE, title: '登录', open: true, params: ['redirect'] },
  loginH5ResetPwd: {
    path: 'pagesA/pages/login/h5/resetPwd',
    title: '找回密码',
    open: true,
  },
  loginWx: { path: 'pagesA/pages/login/wx/index', title: '微信登录', open: true, params: ['redirect'] },
  loginWxSms: {
    path: SMS_LOGIN_PAGE,
    title: '手机号登录',
    open: true,
    // bind: the number is for the account that is logged in
    params: ['redirect', 'bind'],
  },
  mineCouponRecords: {
    path: COUPON_RECORDS_PAGE,
    title: '我的优惠券',
    params: ['status'],
  },
  mineEvaluationRecords: {
    path: RECORDS_PAGE,
    title: '估价记录',
    // orderId: shows the status of that order at once
    params: ['tab', 'orderId'],
  },
  mineEvaluationEvaluate: {
    path: REVIEW_PAGE,
    title: '评价',
    // tab=sale: what became of the account
    params: ['orderId', 'tab'],
  },
  mineMessage: { path: 'pagesA/pages/mine/message/index', title: '消息', params: ['type'] },
  mineRealName: { path: 'pagesA/pages/mine/realName/index', title: '实名认证', params: ['redirect'] },
  mineRealNameResult: {
    path: 'pagesA/pages/mine/realName/result',
    title: '实名认证结果',
    params: ['redirect'],
  },
  mineSetting: { path: SETTINGS_PAGE, title: '设置' },
  mineSettingPassword: {
    path: 'pagesA/pages/mine/setting/password',
    title: '修改密码',
    params: ['first'],
  },
  mineUserFeedback: { path: FEEDBACK_PAGE, title: '意见反馈', params: ['type'] },
  article: { path: ARTICLE_PAGE, title: '文档', open: true, params: ['key'] },
  helpCenter: { path: 'pagesA/pages/home/helpCenter/index', title: '帮助中心' },
  couponCenter: { path: 'pagesA/pages/home/couponCenter/index', title: '领券中心', open: true },
  news: { path: 'pagesA/pages/home/news/index', title: '资讯', open: true, params: ['type', 'tab', 'gameId'] },
  newsDetail: { path: 'pagesA/pages/home/news/detail', title: '资讯详情', open: true, params: ['id'] },
  listingGuidelines: {
    path: 'pagesA/pages/home/listingGuidelines/index',
    title: '上架指南',
    open: true,
    params: ['gameId', 'reportNo'],
  },
  contrastAnalysis: {
    path: 'pagesA/pages/evaluation/contrastAnalysis/index',
    title: '对比分析',
    params: ['orderIds'],
  },
  test: { path: 'pagesA/pages/test', title: '组件陈列', open: true, params: ['show'] },
} as const satisfies Record<string, RouteDef>

export const routes = { ...main, ...pagesA } as const
export type RouteName = keyof typeof routes

/** Query parameters a route accepts, all optional strings until the screen has checked them. */
export type ParamsOf<N extends RouteName> = (typeof routes)[N] extends { params: readonly (infer K extends string)[] }
  ? { [P in K]?: string }
  : Record<string, never>

/** For app.config: page paths of the main package and of `pagesA` (relative to its root). */
export const mainPages: string[] = Object.values(main).map((r) => r.path)
export const pagesAPages: string[] = Object.values(pagesA).map((r) => r.path.replace('pagesA/', ''))
export const tabs: readonly RouteName[] = ['home', 'evaluation', 'mine']
