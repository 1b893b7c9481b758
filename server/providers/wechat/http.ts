import { normaliseMobile } from '@/contract/rules'
import { CHINA_OFFSET_MS } from '@/contract/time'
import { fetchJson, postJson } from '../http'
import { WechatMisconfigured, type WechatPort, WechatRejected, WechatUnavailable, type WechatUser } from './port'
import { reminderData } from './reminder'
import type { WechatApp, WechatLoginSettings } from './settings'
import { cacheCredential, createAccessToken, type Post } from './token'

/** The code is invalid, used or expired, or its user is blocked: only the user can get another one. */
const codeErrors: readonly number[] = [40029, 40163, 41008, 40226, 42003]
/** The access token is not (or no longer) the current one. */
const staleToken: readonly number[] = [40001, 40014, 42001]

/** Temporary errors: WeChat is busy, or our quota per minute or day is used up. */
const passing: readonly number[] = [-1, 45009, 45011]

/** Configuration errors: wrong id or secret, this machine's IP address not allowed, or a missing permission. */
const misset: readonly number[] = [40013, 40125, 40164, 41002, 41004, 48001]

/** 发货信息录入: its codes of the kinds of numbers, goods and deliveries. */
const BY_TRANSACTION = 2
const VIRTUAL_GOODS = 3
const AT_ONCE = 1
const MAX_WORDS = 120
/** The shipping service does not know the payment yet. */
const NOT_PAID_YET = 10060001

/** 文本内容安全识别: its codes of the places of a text. */
const PROFILE = 1
const COMMENT = 2

/** `2026-01-31T23:59:59.000` in China */
const chinaMoment = (at: number) => new Date(at + CHINA_OFFSET_MS).toISOString().slice(0, 23)

type WechatResponse<T> = T & { errcode?: number; errmsg?: string }

interface PhoneResponse {
  phone_info?: {
    purePhoneNumber: string
    /** documented as a string, a number in WeChat's examples */
    countryCode: string | number
    watermark?: { appid: string }
  }
}

interface UserResponse {
  openid?: string
  unionid?: string
  session_key?: string
  /** a visitor of a page preview, without an account there */
  is_snapshotuser?: number
}

const service = { name: 'wechat', Unavailable: WechatUnavailable }

const downBy = (errcode: number) =>
  new (misset.includes(errcode) ? WechatMisconfigured : WechatUnavailable)(`wechat: errcode ${errcode}`)

/** @param isRefusal which error codes are a final response; all others mean that WeChat cannot be reached */
function check<T>(response: WechatResponse<T>, isRefusal: (errcode: number) => boolean): T {
  const { errcode } = response
  if (!errcode) return response
  throw isRefusal(errcode) ? new WechatRejected(errcode) : downBy(errcode)
}

/** Refusal of a login. -1 and rate limits are temporary; a wrong secret is not, but it is not the caller's fault. */
const isCodeError = (errcode: number) => codeErrors.includes(errcode)

/** Refusal of a report to WeChat: every error except temporary ones and stale tokens. */
const isFinal = (errcode: number) => ![...staleToken, ...passing, NOT_PAID_YET].includes(errcode)

function userOf({ appId }: WechatApp, { openid, unionid, is_snapshotuser }: UserResponse): WechatUser {
  if (is_snapshotuser) throw new WechatRejected(0, '当前是微信的预览页，请点击“使用完整服务”后再登录')
  if (!openid) throw new WechatUnavailable('wechat: a response without its openid')
  return { appId, openid, ...(unionid && { unionid }) }
}

/** WeChat's API for mini-programs and official accounts. */
export function createWechat(settings: WechatLoginSettings): WechatPort {
  const { mini, web, reminder, baseUrl } = settings
  const send = <T>(path: string, body: unknown) =>
    postJson<WechatResponse<T>>(service, baseUrl + path, JSON.stringify(body))
  const post: Post = async <T>(path: string, body: unknown) => check<T>(await send<T>(path, body), isCodeError)
  const token = mini && createAccessToken(mini, post)
  const webToken = web && createAccessToken(web, post)
  const need = <T>(app: T | undefined): T => {
    if (!app) throw new WechatRejected(0, '微信登录尚未开通，请用手机号登录')
    return app
  }
  const get = async <T>(path: string, query: Record<string, string>) =>
    check<T>(await fetchJson(service, `${baseUrl}${path}?${new URLSearchParams(query)}`), isCodeError)

  /** Repeats a call with a new token once if WeChat or another process has invalidated the current one. */
  async function renewing<T>(of: typeof token, call: (token: string) => Promise<WechatResponse<T>>) {
    const first = await call(await need(of)())
    return staleToken.includes(first.errcode ?? 0) ? call(await need(of)(true)) : first
  }

  /** Calls with the mini-program's token. */
  const asMini = <T>(path: string, body: unknown) =>
    renewing<T>(token, (token) => send(`${path}?access_token=${encodeURIComponent(token)}`, body))

  const ticket = cacheCredential(async () => {
    const response = await renewing<{ ticket: string; expires_in: number }>(webToken, (token) => {
      const query = new URLSearchParams({ access_token: token, type: 'jsapi' })
      return fetchJson(service, `${baseUrl}/cgi-bin/ticket/getticket?${query}`)
    })
    const { ticket, expires_in } = check(response, isCodeError)
    return { text: ticket, seconds: expires_in }
  })

  return {
    enabledLogins: { mini: mini !== undefined, web: web !== undefined },
    async session(loginCode) {
      const app = need(mini)
      const response = await get<UserResponse>('/sns/jscode2session', {
        appid: app.appId,
        secret: app.secret,
        js_code: loginCode,
        grant_type: 'authorization_code',
      })
      return { ...userOf(app, response), sessionKey: response.session_key ?? '' }
    },
    async phone(phoneCode) {
      const { phone_info: info } = check(
        await asMini<PhoneResponse>('/wxa/business/getuserphonenumber', { code: phoneCode }),
        isCodeError,
      )
      if (!info || (info.watermark && info.watermark.appid !== need(mini).appId))
        throw new WechatUnavailable('wechat: a phone response that is not ours')
      if (String(info.countryCode) !== '86') throw new WechatRejected(0, '暂只支持中国大陆手机号，请用其他手机号登录')
      return normaliseMobile(info.purePhoneNumber)
    },
    authorizeUrl({ redirectUri, state }) {
      const query = new URLSearchParams({
        appid: need(web).appId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'snsapi_base',
        state,
      })
      return `https://open.weixin.qq.com/connect/oauth2/authorize?${query}#wechat_redirect`
    },
    async webUser(code) {
      const app = need(web)
      const query = { appid: app.appId, secret: app.secret, code, grant_type: 'authorization_code' }
      return userOf(app, await get<UserResponse>('/sns/oauth2/access_token', query))
    },
    reminderAppId: reminder && mini?.appId,
    async remind({ openid, page, ...words }) {
      const response = await asMini('/cgi-bin/message/subscribe/send', {
        template_id: need(reminder).id,
        page: page.replace(/^\//, ''),
        touser: openid,
        data: reminderData(need(reminder), words),
      })
      check(response, isFinal)
    },
    async shipped({ txn, openid, what, at }) {
      const response = await asMini('/wxa/sec/order/upload_shipping_info', {
        order_key: { order_number_type: BY_TRANSACTION, transaction_id: txn },
        logistics_type: VIRTUAL_GOODS,
        delivery_mode: AT_ONCE,
        shipping_list: [{ item_desc: [...what].slice(0, MAX_WORDS).join('') }],
        upload_time: `${chinaMoment(at)}+08:00`,
        payer: { openid },
      })
      check(response, isFinal)
    },
    checksTextsOf: mini?.appId,
    async isTextFine({ openid, text, kind }) {
      const response = await asMini<{ result?: { suggest?: string } }>('/wxa/msg_sec_check', {
        version: 2,
        openid,
        scene: kind === 'PROFILE' ? PROFILE : COMMENT,
        content: text,
      })
      const { result } = check(response, (errcode) => isFinal(errcode) && !misset.includes(errcode))
      // `review` means undecided, and we have no reviewers
      return result?.suggest === 'pass'
    },
    jsTicket: async () => ({ appId: need(web).appId, ticket: await ticket() }),
  }
}
