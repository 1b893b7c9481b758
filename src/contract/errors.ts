/**
 * The error catalogue (spec §8) as tables in its order, and the closed list of body codes. Texts are for users; `when`
 * is for engineers.
 */

/** `relogin`: log out, dialog, relaunch to login. `requestId`: a toast that ends with the request's id. */
export type ErrorBehaviour = 'toast' | 'requestId' | 'relogin'

/** HTTP status → text for the user. Other statuses use `unknownHttpError`. */
export const httpErrors = {
  400: { text: '出错了(400)', behaviour: 'toast' },
  401: { text: '登录已过期，请重新登录', behaviour: 'relogin' },
  403: { text: '该页面拒绝或禁止访问', behaviour: 'toast' },
  404: { text: '出错了(404)', behaviour: 'toast' },
  405: { text: '请求方式错误，请联系客服', behaviour: 'toast' },
  406: { text: '您操作太快了，请稍等一下', behaviour: 'toast' },
  460: { text: '非法请求，请联系客服', behaviour: 'toast' },
  500: { text: '服务器出错了', behaviour: 'requestId' },
  502: { text: '服务器无响应', behaviour: 'toast' },
  503: { text: '服务器出错了，请联系客服', behaviour: 'toast' },
  504: { text: '网关超时', behaviour: 'toast' },
} as const satisfies Record<number, { text: string; behaviour: ErrorBehaviour }>

export const unknownHttpError = { text: '未知错误', behaviour: 'toast' } as const

/** Dialog for an expired session. */
export const reloginDialog = { title: '提示', content: httpErrors[401].text, confirmText: '重新登录' } as const

/** Body codes that mean an expired session, whatever the HTTP status; servers send numbers or strings. */
export const reloginCodes: readonly (string | number)[] = [401, '401', 'NOT_LOGGED_IN']

/** Shown with this text whatever the HTTP status (spec §8). */
export const tooBusyError = {
  code: 'REQUEST_TOO_BUSY_PLEASE_WAIT',
  text: '请求过于频繁，请稍后再试',
  behaviour: 'toast',
} as const

/** Every value of `code` in a response: its HTTP status and its default message. */
export const codes = {
  OK: { http: 200, msg: '操作成功', when: 'the call did what it says' },
  // general codes: authentication, request limits, validation
  NOT_LOGGED_IN: { http: 401, msg: '登录已过期，请重新登录', when: 'no token, or one that is unknown or expired' },
  REQUEST_TOO_BUSY_PLEASE_WAIT: { http: 406, msg: tooBusyError.text, when: 'a rate limit is reached' },
  ILLEGAL_REQUEST: {
    http: 460,
    msg: '非法请求，请联系客服',
    when: 'bad signature, repeated query key, clock too far off',
  },
  VALIDATION_FAILED: {
    http: 400,
    msg: '提交的内容有误，请检查',
    when: 'a field breaks its rule; data.fields lists them',
  },
  NOT_FOUND: { http: 404, msg: '没有找到相关内容', when: 'no such row or path, or it belongs to another user' },
  METHOD_NOT_ALLOWED: { http: 405, msg: '请求方式错误，请联系客服', when: 'the path exists with another method' },
  PRECONDITION_FAILED: {
    http: 412,
    msg: '文件已更新，请重新下载',
    when: 'a file is not of the version the request wants',
  },
  PAYLOAD_TOO_LARGE: { http: 413, msg: '提交的内容过大，请精简后重试', when: 'the body is over 1 MB' },
  UNSUPPORTED_MEDIA_TYPE: { http: 415, msg: '提交的内容格式不受支持', when: 'a body of another content type' },
  RANGE_NOT_SATISFIABLE: { http: 416, msg: '请求的部分超出文件末尾', when: 'a range past the end of a file' },
  INTERNAL_ERROR: {
    http: 500,
    msg: '服务器出错了，请稍后再试',
    when: 'unexpected; data.requestId finds it in the log',
  },
  SERVICE_UNAVAILABLE: {
    http: 503,
    msg: '服务暂不可用，请稍后再试',
    when: 'starting, draining or the database is away',
  },
  NOT_OPEN_YET: {
    http: 200,
    msg: '该功能即将开放，敬请期待',
    when: 'the feature is not offered on this platform or with these settings',
  },
  // pictures; errors of the storage
  UPLOAD_REFUSED: {
    http: 403,
    msg: '上传凭证无效或已过期，请重试',
    when: 'the signed form is forged, over or changed',
  },
  UPLOAD_TYPE: { http: 400, msg: '只支持 jpg、png、webp 图片', when: 'the content of the file is no plain picture' },
  UPLOAD_QUOTA: { http: 403, msg: '您的图片空间已满，请先删除旧的图片', when: 'the pictures of a user pass 200 MB' },
  // valuation
  GAME_OFFLINE: { http: 200, msg: '该游戏暂停估价，请稍后再试', when: 'the game is OFFLINE or MAINTAIN' },
  FORM_CHANGED: { http: 200, msg: '表单已更新，请核对后重新提交', when: 'schemaVersion is not the current one' },
  FREE_QUOTA_USED: {
    http: 200,
    msg: '今日免费估价次数已用完，请明天再来',
    when: 'the free AI valuations of the day are used',
  },
  MODEL_PENDING: {
    http: 503,
    msg: '该游戏的估价模型正在准备，请约 1 分钟后再试',
    when: 'the first model of the game is being trained; nothing was used up',
  },
  SAMPLE_INSUFFICIENT: { http: 200, msg: '可比样本不足，暂时无法给出估价', when: 'fewer than 5 usable comparables' },
  AUTH_TASK_EXPIRED: { http: 200, msg: '授权已过期，请重新发起', when: 'the authorisation task is over' },
  LINK_UNSUPPORTED: { http: 200, msg: '暂不支持该链接，请换一个或手动填写', when: 'the link is of no known platform' },
  SHARE_REVOKED: { http: 200, msg: '该分享已撤回', when: 'the owner does not share the report any more' },
  REPORT_LOCKED: { http: 200, msg: '完整报告尚未解锁', when: 'a locked part of a report is asked for' },
  // orders, payment, coupons
  ORDER_STATUS_CHANGED: {
    http: 200,
    msg: '订单状态已变化，请刷新后再试',
    when: 'the conditional update found another status',
  },
  PAY_CLOSED: { http: 200, msg: '订单已关闭，请重新下单', when: 'paying an order that is closed or past its time' },
  COUPON_NOT_USABLE: { http: 200, msg: '该优惠券不可用', when: 'not owned, locked, used, expired or out of scope' },
  // help to unlock
  HELP_SELF: { http: 200, msg: '不能给自己助力', when: 'the helper owns the record' },
  HELP_DUPLICATE: { http: 200, msg: '已助力过', when: 'the helper helped this record before' },
  HELP_LIMIT: { http: 200, msg: '今日次数已用完', when: 'the helper has used the helps of the day' },
  HELP_EXPIRED: { http: 200, msg: '已过期', when: 'the record is past its 24 hours' },
  HELP_DONE: { http: 200, msg: '已解锁成功', when: 'the record has all its helpers' },
  HELP_RISK: {
    http: 200,
    msg: '账号异常',
    when: 'same device or payment id as the owner, or the pair met within 7 days',
  },
  // account
  SMS_TOO_FAST: { http: 200, msg: '发送太频繁，请 {n} 秒后再试', when: 'a code was sent less than 60 s ago' },
  SMS_DAILY_LIMIT: {
    http: 200,
    msg: '今日验证码次数已用完，请明天再试',
    when: '10 a day per number or 20 per address',
  },
  SMS_CODE_WRONG: { http: 200, msg: '验证码错误，请重新输入', when: 'the code does not match' },
  SMS_CODE_EXPIRED: { http: 200, msg: '验证码已失效，请重新获取', when: 'older than 10 min, used, or 5 wrong tries' },
  PWD_WRONG: { http: 200, msg: '手机号或密码错误', when: 'unknown number or wrong password: never says which' },
  ACCOUNT_LOCKED: {
    http: 200,
    msg: '密码错误次数过多，请 {n} 分钟后再试或用验证码登录',
    when: '5 wrong passwords in 15 min',
  },
  WECHAT_REFUSED: {
    http: 200,
    msg: '微信登录失败，请重试或用其他手机号登录',
    when: 'WeChat does not take the code: wrong, used or over',
  },
  REALNAME_REQUIRED: { http: 200, msg: '请先完成实名认证', when: 'a manual order of somebody who has not passed' },
  REALNAME_MISMATCH: { http: 200, msg: '姓名与身份证号不一致，请核对', when: 'the provider says they do not match' },
  REALNAME_LIMIT: { http: 200, msg: '认证次数已达上限，请稍后再试', when: '3 tries a day, or an ID on 3 accounts' },
  MINOR_NOT_ALLOWED: {
    http: 200,
    msg: '未成年人暂不支持该服务',
    when: 'under 18 for manual orders, paying, unlocking by pay',
  },
} as const satisfies Record<string, { http: number; msg: string; when: string }>

export type ErrorCode = keyof typeof codes

/** The default message of a code with its `{name}` placeholders filled. */
export function codeText(code: ErrorCode, vars: Record<string, string | number> = {}): string {
  return codes[code].msg.replace(/\{(\w+)\}/g, (place, name: string) => String(vars[name] ?? place))
}
