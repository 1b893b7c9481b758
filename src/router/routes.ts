/**
 * The one route table (spec §2): paths, packages, tabs, who may open, declared parameters, titles.
 * app.config, the guard, `nav`, page titles and the gallery read it. No React and no Taro import:
 * the build runs this file in Node.
 *
 * `open`: the guard lets it through without login (spec §2, "Open without login"; nothing else is open).
 * `params`: the only query keys a page receives; all others are dropped.
 * `ready: false`: a page whose feature is still to come; `npm run check` counts them.
 */
export interface RouteDef {
  readonly path: string
  readonly title: string
  readonly open?: boolean
  readonly tab?: 0 | 1 | 2
  readonly params?: readonly string[]
  readonly ready: boolean
}

const main = {
  home: { path: 'pages/home/index', title: '首页', open: true, tab: 0, ready: true },
  evaluation: { path: 'pages/evaluation/index', title: '估价', open: true, tab: 1, params: ['mode'], ready: true },
  mine: { path: 'pages/mine/index', title: '我的', tab: 2, ready: true },
  evaluationChooseGame: {
    path: 'pages/evaluation/chooseGame',
    title: '选择游戏',
    // find: the search box gets the focus
    params: ['mode', 'keyword', 'find'],
    ready: true,
  },
  evaluationFillInInfo: {
    path: 'pages/evaluation/fillInInfo/index',
    title: '填写账号信息',
    params: ['gameId', 'mode'],
    ready: true,
  },
  evaluationFillInInfoRpaWebview: {
    path: 'pages/evaluation/fillInInfo/rpaWebview',
    title: '授权读取',
    params: ['gameId', 'taskId', 'orderId'],
    ready: true,
  },
  evaluationFillInInfoSuccess: {
    path: 'pages/evaluation/fillInInfo/success',
    title: '提交成功',
    params: ['orderId'],
    ready: true,
  },
  humanCheckout: { path: 'pages/evaluation/human/checkout', title: '确认订单', params: ['orderId'], ready: true },
  humanPaySuccess: { path: 'pages/evaluation/human/paySuccess', title: '订单结果', params: ['orderId'], ready: true },
  chat: { path: 'pages/chat/index', title: '在线咨询', params: ['orderId'], ready: true },
  payment: { path: 'pages/evaluation/payment/index', title: '收银台', params: ['orderId', 'couponId'], ready: true },
  report: {
    path: 'pages/evaluation/report/index',
    title: '估价报告',
    params: ['orderId', 'reportNo', 'shareToken'],
    ready: true,
  },
  reportScreenShot: {
    path: 'pages/evaluation/report/screenShot',
    title: '报告图片',
    params: ['orderId'],
    ready: true,
  },
  reportDownload: { path: 'pages/evaluation/report/download', title: '下载报告', params: ['orderId'], ready: true },
  reportHighQuality: {
    path: 'pages/evaluation/report/highQuality',
    title: '优秀报告',
    open: true,
    params: ['gameId'],
    ready: true,
  },
  reportUnlockInvite: {
    path: 'pages/evaluation/report/unlock/invite',
    title: '邀请助力',
    params: ['orderId'],
    ready: true,
  },
  reportUnlockAccept: {
    path: 'pages/evaluation/report/unlock/accept',
    title: '帮好友解锁',
    params: ['recordId'],
    ready: true,
  },
  reportWxIframe: {
    path: 'pages/evaluation/report/wxIframe',
    title: '估价报告',
    open: true,
    params: ['reportNo', 'shareToken'],
    ready: true,
  },
  webview: {
    path: 'pages/home/webview/index',
    title: '网页',
    open: true,
    params: ['url', 'title', 'taskId'],
    ready: true,
  },
} as const satisfies Record<string, RouteDef>

/** Sub-package `pagesA`; paths are relative to the app root, as on h5. */
const pagesA = {
  iosApp: { path: 'pagesA/pages/iosApp/index', title: '游戏账号估价专家', ready: true },
  loginH5: { path: 'pagesA/pages/login/h5/index', title: '登录', open: true, params: ['redirect'], ready: true },
  loginH5ResetPwd: {
    path: 'pagesA/pages/login/h5/resetPwd',
    title: '找回密码',
    open: true,
    ready: true,
  },
  loginWx: { path: 'pagesA/pages/login/wx/index', title: '微信登录', open: true, params: ['redirect'], ready: true },
  loginWxSms: {
    path: 'pagesA/pages/login/wx/sms',
    title: '手机号登录',
    open: true,
    // bind: the number is for the account that is logged in
    params: ['redirect', 'bind'],
    ready: true,
  },
  mineCouponRecords: {
    path: 'pagesA/pages/mine/coupon/records',
    title: '我的优惠券',
    params: ['status'],
    ready: true,
  },
  mineEvaluationRecords: {
    path: 'pagesA/pages/mine/evaluation/records',
    title: '估价记录',
    // orderId: how that one stands is told at once
    params: ['tab', 'orderId'],
    ready: true,
  },
  mineEvaluationEvaluate: {
    path: 'pagesA/pages/mine/evaluation/evaluate/index',
    title: '评价',
    params: ['orderId'],
    ready: true,
  },
  mineMessage: { path: 'pagesA/pages/mine/message/index', title: '消息', params: ['type'], ready: true },
  mineRealName: { path: 'pagesA/pages/mine/realName/index', title: '实名认证', params: ['redirect'], ready: true },
  mineRealNameResult: {
    path: 'pagesA/pages/mine/realName/result',
    title: '实名认证结果',
    params: ['redirect'],
    ready: true,
  },
  mineSetting: { path: 'pagesA/pages/mine/setting/index', title: '设置', ready: true },
  mineSettingPassword: {
    path: 'pagesA/pages/mine/setting/password',
    title: '修改密码',
    params: ['first'],
    ready: true,
  },
  mineUserFeedback: { path: 'pagesA/pages/mine/userFeedback/index', title: '意见反馈', params: ['type'], ready: true },
  article: { path: 'pagesA/pages/home/article/index', title: '文档', open: true, params: ['key'], ready: true },
  helpCenter: { path: 'pagesA/pages/home/helpCenter/index', title: '帮助中心', ready: true },
  couponCenter: { path: 'pagesA/pages/home/couponCenter/index', title: '领券中心', open: true, ready: true },
  news: { path: 'pagesA/pages/home/news/index', title: '资讯', open: true, params: ['type'], ready: true },
  newsDetail: { path: 'pagesA/pages/home/news/detail', title: '资讯详情', open: true, params: ['id'], ready: true },
  listingGuidelines: {
    path: 'pagesA/pages/home/listingGuidelines/index',
    title: '上架指南',
    open: true,
    params: ['gameId', 'reportNo'],
    ready: true,
  },
  contrastAnalysis: {
    path: 'pagesA/pages/evaluation/contrastAnalysis/index',
    title: '对比分析',
    params: ['orderIds'],
    ready: true,
  },
  test: { path: 'pagesA/pages/test', title: '组件陈列', open: true, params: ['show'], ready: true },
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
