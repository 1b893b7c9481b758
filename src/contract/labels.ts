/** Enumerations of the product with their labels: keys are sent, values are shown. */

/** prefix of a line in lists */
export const modeTag = { AI: 'AI', MANUAL: '人工' } as const
export const modeText = { AI: 'AI 估价', MANUAL: '人工估价' } as const

export const cancelReasons = ['不想估了', '信息填错', '等太久', '价格不合适', '其他'] as const
export const manualLevelText = { STD: '标准', PRO: '专家' } as const
export type ManualLevel = keyof typeof manualLevelText
/** why an appraiser strikes a comparable account */
export const strikeReasonText = {
  ASSETS: '核心资产不同',
  SERVER: '区服或登录方式不同',
  BINDING: '实名或绑定不同',
  OLD: '时间太久',
  PRICE: '价格不正常',
} as const

// report
export const confidenceText = { HIGH: '高', MEDIUM: '中', LOW: '低' } as const
/** only of a report whose every question is answered */
export const completeText = '资料完整'
export const assumedText = (fields: number) => `${fields} 项按常见水平计`
/**
 * heading of the reasons that lower the confidence: a text besides icon and colour, for readers who cannot distinguish
 * colours
 */
export const doubtsText = '需留意'
export const liquidityText = { FAST: '好出手', NORMAL: '一般', SLOW: '较慢' } as const
export const riskLevelText = { LOW: '低', MEDIUM: '中', HIGH: '高' } as const
export const comparableKindText = { SOLD: '成交', ASKING: '挂牌' } as const
/** how alike a comparable is, the nearest first */
export const closenessText = { NEAR: '相近', CLOSE: '较近', REFERENCE: '参考' } as const
/** What a comparable has in common with the account, and how it differs: `同 贵族 V8 · 苹果微信　异 皮肤少18`. */
export const alikeText = ({ same, diff }: { same: readonly string[]; diff: readonly string[] }): string =>
  [same.length > 0 && `同 ${same.join(' · ')}`, diff.length > 0 && `异 ${diff.join(' · ')}`].filter(Boolean).join('　')
/** why two valuations of one account differ */
export const changeTypeText = { MARKET: '行情', MODEL: '模型', FACTS: '账号' } as const
export const improvementCostText = { FREE: '免费', REVERSIBLE: '可随时改回' } as const

// games and authorisation
/** Source of the answers, 10 % of the confidence. */
export const answerSourceText = { AUTH: '授权读取', PUBLIC_ID: '公开ID', TYPED: '手动填写' } as const
export const taskStatusText = {
  CREATED: '准备中',
  WAIT_SCAN: '待扫码',
  SCANNED: '待确认',
  COLLECTING: '读取中',
  VALUING: '估价中',
  SUCCESS: '已完成',
  INSUFFICIENT: '样本不足',
  FAILED: '读取失败',
  EXPIRED: '已过期',
  CANCELED: '已取消',
} as const
/** Why a collection failed and what to do next; no failure uses up a free valuation. */
export const taskFailText = {
  QR_EXPIRED: '二维码已过期，请刷新后重新扫码',
  USER_REFUSED: '您取消了授权，可以重新扫码或手动填写',
  ROLE_NOT_FOUND: '没有找到游戏角色，请核对区服和账号',
  PRIVACY_HIDDEN: '战绩或资料已隐藏，请在游戏里公开后重试',
  SERVER_MAINTAIN: '游戏正在维护，请稍后再试或手动填写',
  RISK_CONTROL: '游戏方限制了本次读取，请稍后再试或手动填写',
  READ_TIMEOUT: '读取超时，请重试',
  SAMPLE_INSUFFICIENT: '可比样本不足，可以改用人工估价',
} as const

// coupons
export const couponTypeText = { CASH_OFF: '满减', DIRECT: '立减', PERCENT: '折扣', FREE: '体验券' } as const
export const couponScopeText = {
  ALL: '全部估价可用',
  AI: 'AI 估价可用',
  MANUAL: '人工估价可用',
  GAME: '指定游戏可用',
} as const
export const userCouponStatusText = { UNUSED: '待使用', LOCKED: '使用中', USED: '已使用', EXPIRED: '已过期' } as const
export const couponCentreStateText = {
  AVAILABLE: '可领取',
  RECEIVED: '已领取',
  SOLD_OUT: '已抢光',
  NOT_STARTED: '未开始',
  ENDED: '已结束',
} as const

// unlock and payment
export const payTypeText = {
  WX_JSAPI: '微信支付',
  WX_H5: '微信支付',
  WX_MINI: '微信支付',
  ALI_WAP: '支付宝',
  APPLE: 'Apple 支付',
} as const
/** Environment of a page, as sent to `pay/type`: the available channels differ. */
export const payEnvText = {
  WECHAT: '微信内',
  BROWSER: '手机浏览器',
  MINI: '小程序',
  IOS: 'iOS 小程序',
  IOS_APP: 'iOS 应用',
} as const
export type PayEnv = keyof typeof payEnvText

// messages, evaluation, feedback
export const messageTypeText = {
  REPORT_READY: '报告已出',
  NEED_INFO: '待补充资料',
  PAID: '支付成功',
  REFUNDED: '退款到账',
  HELPED: '好友助力',
  UNLOCKED: '解锁成功',
  COUPON_EXPIRING: '优惠券即将过期',
  PRICE_CHANGED: '行情变动',
  SYSTEM: '系统公告',
} as const
/** Types users may send; SYSTEM is reserved for the server. */
export const sendableChatText = { TEXT: '文字', IMAGE: '图片', ORDER_CARD: '订单', REPORT_CARD: '报告' } as const
export const chatTypeText = { ...sendableChatText, SYSTEM: '提示' } as const
export const accuracyText = { LOW: '偏低', FAIR: '差不多', HIGH: '偏高' } as const
export const feedbackTypeText = {
  1: '功能异常',
  2: '估价不准',
  3: '支付与退款',
  4: '体验建议',
  5: '客服与投诉',
  6: '其他',
} as const
export const feedbackStatusText = { SUBMITTED: '已提交', PROCESSING: '处理中', REPLIED: '已回复' } as const

// account
/** Avatars users can choose from, all our own: names of ui/Icon. */
export const avatars = [
  '',
  'game',
  'star-fill',
  'shield',
  'gift',
  'robot',
  'expert',
  'bell',
  'camera',
  'ticket',
  'trend',
  'headset',
] as const
export const smsSceneText = { 1: '登录', 2: '换手机', 3: '改密', 4: '找回', 5: '注销' } as const
const systems = new Map([
  ['ios', 'iOS'],
  ['android', 'Android'],
])
/** Name of a login in the list of devices, from the headers `platform` and `os`. */
export const deviceName = (platform: string, os: string): string =>
  [systems.get(os), platform === 'weapp' ? '微信小程序' : '网页'].filter(Boolean).join(' · ')

export const realNameStatusText = { NONE: '未认证', PENDING: '认证中', PASSED: '已认证', FAILED: '未通过' } as const
/** Whether the identity is verified, or its verification is pending. */
export const isRealNameSubmitted = (status: keyof typeof realNameStatusText) =>
  status === 'PASSED' || status === 'PENDING'

/** `type` of social-login: the identity provider */
export const socialTypes = { WECHAT_WEB: 31, WECHAT_MINI: 34 } as const

/** Use of a picture: `scene` of `common/sts`. */
export const uploadSceneText = {
  ACCOUNT: '账号截图',
  EVALUATION: '评价图片',
  FEEDBACK: '反馈图片',
  CHAT: '咨询图片',
  SCREENSHOT: '识别截图',
} as const

/** Outcome of an account after its valuation. */
export const saleOutcomeText = { SOLD: '已卖出', LISTED: '挂着，还没卖出', KEPT: '不卖了' } as const

/** Prices that users may let us use for the market; the consent to each can be withdrawn. */
export const sharedPriceText = { LISTING: '我提供的挂牌价', FOLLOW_UP: '我的卖出回访' } as const

// content
export const documentKeyText = {
  USER_AGREEMENT: '用户协议',
  PRIVACY: '隐私政策',
  COLLECTED: '个人信息收集清单',
  VALUATION_NOTICE: '估价须知',
  REFUND: '退款规则',
  HELP_RULE: '助力规则',
  MINOR: '未成年人说明',
  ABOUT: '关于我们',
  METHOD: '估价方法',
  ACCURACY: '准确率公示',
  APPRAISERS: '估价师',
  LISTING: '上架指南',
} as const
export const articleTypeText = { NEWS: '资讯', GUIDE: '攻略' } as const

/** The keys of a table with their types; number-like keys become strings. */
export function keysOf<T extends object>(table: T): (keyof T & string)[] {
  return Object.keys(table) as (keyof T & string)[]
}
