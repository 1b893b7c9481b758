/**
 * Every call of spec §7 as plain data, without a schema library, so that the app only pays for the paths. Schemas of
 * request and response are in `contract/schemas/` under the same names.
 *
 * `access`: `open` = works without login, `user` = needs a valid token (spec §6).
 */
export type Method = 'GET' | 'POST'
export type Access = 'open' | 'user'
export interface CallDef {
  readonly method: Method
  readonly path: string
  readonly access: Access
}

const U = '/app-api/user'
const E = '/app-api/api/evaluate/user'

const open = <M extends Method, P extends string>(method: M, path: P) => ({ method, path, access: 'open' }) as const
const user = <M extends Method, P extends string>(method: M, path: P) => ({ method, path, access: 'user' }) as const

export const specCalls = {
  user: {
    login: open('POST', `${U}/auth/login`),
    resetPassword: open('POST', `${U}/reset-password`),
    updatePassword: user('POST', `${U}/update-password`),
    smsLogin: open('POST', `${U}/auth/sms-login`),
    sendSmsCode: open('POST', `${U}/auth/send-sms-code`),
    get: user('GET', `${U}/get`),
    queryWeixinMiniAppBind: open('POST', `${U}/auth/query-weixin-mini-app-bing-user`),
    socialLogin: open('POST', `${U}/auth/social-login`),
    weixinMiniAppLogin: open('POST', `${U}/auth/weixin-mini-app-login`),
    realNameAuth: user('POST', `${U}/real/name/auth`),
    messages: user('GET', `${U}/message`),
    customerServiceByOrder: user('GET', `${E}/order/get/valuation/customer-service/by-order-id`),
    channelLinks: user('GET', `${U}/channel/on/stand/link`),
    feedbackList: user('GET', `${U}/get/advice/feedback`),
    submitFeedback: user('POST', `${U}/submit/advice/feedback`),
    loginOff: user('POST', `${U}/login/off`),
    checkLoginOff: user('GET', `${U}/check/login/off`),
    updateSettings: user('POST', `${U}/user-settings/update`),
  },
  evaluation: {
    gameList: open('GET', `${E}/game/list`),
    gameServer: open('GET', '/app-api/game/server'),
    gameDetail: open('GET', '/app-api/game/detail'),
    taskCreate: user('POST', '/app-api/auto/task/create'),
    taskRecord: user('GET', '/app-api/auto/task/get/record'),
    gameConfig: open('GET', `${E}/game/config`),
    orderList: user('POST', `${E}/order/list`),
    reportGet: open('GET', `${E}/order/report/get`),
    linkVerify: open('POST', `${E}/game/link/evaluate/verify`),
    submitAi: user('POST', `${E}/game/submit/ai`),
    consultStaff: user('GET', `${E}/game/get/consult/staff`),
    applyCancel: user('POST', `${E}/order/apply/cancel`),
    submitManual: user('POST', `${E}/game/submit/manual`),
    saveGameFeedback: user('POST', `${E}/game/save/game/feedback`),
    saveEvaluation: user('POST', `${E}/order/save/valuation/evaluation`),
    getEvaluation: user('GET', `${E}/order/get/valuation/evaluation`),
    reportImage: user('GET', `${E}/order/get/report-image`),
    reportImageShare: user('GET', `${E}/order/get/report-image/share`),
    unlockRecord: user('GET', '/app-api/report/unlock/order/unlock/record'),
    unlockHelpList: user('GET', '/app-api/report/unlock/unlock/user/help/list'),
    unlockHelp: user('POST', '/app-api/report/unlock/unlock/user/help'),
    hotGame: open('POST', `${E}/game/hot/game`),
    contrastAnalysis: user('POST', `${E}/order/contrast/analysis`),
  },
  app: {
    banner: open('GET', '/app-api/home/banner'),
    homeDataCount: open('GET', '/app-api/home/app-home-data-count'),
    lastFifteenOrder: open('GET', '/app-api/home/last-fifteen-order'),
    homeGameList: open('GET', '/app-api/home/app-home-game-list'),
    documentGet: open('GET', '/app-api/home/document/get'),
    stsPost: user('POST', '/app-api/common/sts'),
    stsGet: user('GET', '/app-api/common/sts'),
    openPayStatus: open('GET', '/app-api/common/open-pay-status'),
    helpCenter: open('GET', `${U}/help/center`),
    informationPage: open('POST', '/app-api/information/page'),
    informationDetail: open('GET', '/app-api/information/detail'),
    excellentReportList: open('GET', '/app-api/home/excellent-report-list'),
    latestVersion: open('GET', '/app-api/common/app/latest_version'),
    feedbackUserCount: open('GET', '/app-api/home/advice-feedback/user-count'),
    countHit: open('POST', '/app-api/common/public/count/hit'),
  },
  coupon: {
    canReceive: open('POST', `${E}/coupon/can/receive`),
    receive: user('POST', `${E}/coupon/receive`),
    getByStatus: user('POST', `${E}/coupon/get/by/status`),
    getCanUse: user('GET', `${E}/coupon/get/can/use`),
  },
  pay: {
    orderCount: user('POST', `${E}/order/get/order/count`),
    createPre: user('POST', `${E}/order/create/pre`),
    payType: user('GET', `${E}/order/pay/type`),
    payResult: user('GET', `${E}/order/pay/result`),
    payment: user('POST', `${E}/order/payment`),
    getInfo: user('GET', `${E}/order/get/info`),
    createAiPre: user('POST', `${E}/order/create/ai/pre`),
    closeOrder: user('POST', `${E}/order/close/order`),
    adUnitId: user('GET', '/app-api/report/unlock/order/unlock/adUnitId'),
    adUnlock: user('POST', '/app-api/report/unlock/order/unlock/ad'),
  },
} as const satisfies Record<string, Record<string, CallDef>>

/**
 * Calls beyond the specification's 70: chat messages, data export, reading of screenshots, price preview, what became of an account after its
 * valuation, and a game's market. Signed, wrapped and typed like all others.
 */
const extraCalls = {
  chat: {
    messages: user('GET', '/app-api/chat/messages'),
    send: user('POST', '/app-api/chat/send'),
  },
  dataExport: {
    request: user('POST', '/app-api/data-export/request'),
    get: user('GET', '/app-api/data-export/get'),
  },
  screenshot: {
    create: user('POST', '/app-api/auto/screenshot/create'),
    get: user('GET', '/app-api/auto/screenshot/get'),
  },
  pricePreview: {
    preview: open('POST', `${E}/game/preview`),
  },
  sale: {
    followUp: user('GET', '/app-api/sale/follow-up'),
    report: user('POST', '/app-api/sale/tell'),
  },
  market: {
    game: open('GET', '/app-api/market/game'),
  },
} as const satisfies Record<string, Record<string, CallDef>>

export const calls = { ...specCalls, ...extraCalls } as const

export type Calls = typeof calls
export type CallGroup = keyof Calls
export type CallOf<R extends CallGroup> = keyof Calls[R]
