/**
 * The error catalogue (spec §8) as tables in its order, and the closed list of body codes.
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
  OK: { http: 200, msg: '操作成功' },
  // general codes: authentication, request limits, validation
  NOT_LOGGED_IN: { http: 401, msg: '登录已过期，请重新登录' },
  REQUEST_TOO_BUSY_PLEASE_WAIT: { http: 406, msg: tooBusyError.text },
  ILLEGAL_REQUEST: { http: 460, msg: '非法请求，请联系客服' },
  VALIDATION_FAILED: { http: 400, msg: '提交的内容有误，请检查' },
  NOT_FOUND: { http: 404, msg: '没有找到相关内容' },
  METHOD_NOT_ALLOWED: { http: 405, msg: '请求方式错误，请联系客服' },
  PRECONDITION_FAILED: { http: 412, msg: '文件已更新，请重新下载' },
  PAYLOAD_TOO_LARGE: { http: 413, msg: '提交的内容过大，请精简后重试' },
  UNSUPPORTED_MEDIA_TYPE: { http: 415, msg: '提交的内容格式不受支持' },
  RANGE_NOT_SATISFIABLE: { http: 416, msg: '请求的部分超出文件末尾' },
  INTERNAL_ERROR: { http: 500, msg: '服务器出错了，请稍后再试' },
  SERVICE_UNAVAILABLE: { http: 503, msg: '服务暂不可用，请稍后再试' },
  NOT_OPEN_YET: { http: 200, msg: '该功能即将开放，敬请期待' },
  // pictures; errors of the storage
  UPLOAD_REFUSED: { http: 403, msg: '上传凭证无效或已过期，请重试' },
  UPLOAD_TYPE: { http: 400, msg: '只支持 jpg、png、webp 图片' },
  UPLOAD_QUOTA: { http: 403, msg: '您的图片空间已满，请先删除旧的图片' },
  // valuation
  GAME_OFFLINE: { http: 200, msg: '该游戏暂停估价，请稍后再试' },
  FORM_CHANGED: { http: 200, msg: '表单已更新，请核对后重新提交' },
  FREE_QUOTA_USED: { http: 200, msg: '今日免费估价次数已用完，请明天再来' },
  MODEL_PENDING: { http: 503, msg: '该游戏的估价模型正在准备，请约 1 分钟后再试' },
  SAMPLE_INSUFFICIENT: { http: 200, msg: '可比样本不足，暂时无法给出估价' },
  AUTH_TASK_EXPIRED: { http: 200, msg: '授权已过期，请重新发起' },
  LINK_UNSUPPORTED: { http: 200, msg: '暂不支持该链接，请换一个或手动填写' },
  SHARE_REVOKED: { http: 200, msg: '该分享已撤回' },
  REPORT_LOCKED: { http: 200, msg: '完整报告尚未解锁' },
  // orders, payment, coupons
  ORDER_STATUS_CHANGED: { http: 200, msg: '订单状态已变化，请刷新后再试' },
  PAY_CLOSED: { http: 200, msg: '订单已关闭，请重新下单' },
  COUPON_NOT_USABLE: { http: 200, msg: '该优惠券不可用' },
  // help to unlock
  HELP_SELF: { http: 200, msg: '不能给自己助力' },
  HELP_DUPLICATE: { http: 200, msg: '已助力过' },
  HELP_LIMIT: { http: 200, msg: '今日次数已用完' },
  HELP_EXPIRED: { http: 200, msg: '已过期' },
  HELP_DONE: { http: 200, msg: '已解锁成功' },
  HELP_RISK: { http: 200, msg: '账号异常' },
  // account
  SMS_TOO_FAST: { http: 200, msg: '发送太频繁，请 {n} 秒后再试' },
  SMS_DAILY_LIMIT: { http: 200, msg: '今日验证码次数已用完，请明天再试' },
  SMS_CODE_WRONG: { http: 200, msg: '验证码错误，请重新输入' },
  SMS_CODE_EXPIRED: { http: 200, msg: '验证码已失效，请重新获取' },
  PWD_WRONG: { http: 200, msg: '手机号或密码错误' },
  ACCOUNT_LOCKED: { http: 200, msg: '密码错误次数过多，请 {n} 分钟后再试或用验证码登录' },
  WECHAT_REFUSED: { http: 200, msg: '微信登录失败，请重试或用其他手机号登录' },
  REALNAME_REQUIRED: { http: 200, msg: '请先完成实名认证' },
  REALNAME_MISMATCH: { http: 200, msg: '姓名与身份证号不一致，请核对' },
  REALNAME_LIMIT: { http: 200, msg: '认证次数已达上限，请稍后再试' },
  MINOR_NOT_ALLOWED: { http: 200, msg: '未成年人暂不支持该服务' },
} as const satisfies Record<string, { http: number; msg: string }>

export type ErrorCode = keyof typeof codes

/** The default message of a code with its `{name}` placeholders filled. */
export function codeText(code: ErrorCode, vars: Record<string, string | number> = {}): string {
  return codes[code].msg.replace(/\{(\w+)\}/g, (place, name: string) => String(vars[name] ?? place))
}
