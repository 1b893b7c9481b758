import { baseUrl, type Env, text } from '../../core/env'
import { StartError } from '../../core/start-error'
import { parseReminder, type ReminderTemplate } from './reminder'

/** An app registered with WeChat. */
export interface WechatApp {
  appId: string
  secret: string
}

/** Settings of the login through WeChat. */
export interface WechatLoginSettings {
  mini: WechatApp | undefined
  /** the official account, for WeChat's browser */
  web: WechatApp | undefined
  /** the one-time message of the mini-program */
  reminder: ReminderTemplate | undefined
  baseUrl: string
}

/** An app's settings. An id without a secret is allowed: payment needs only the id. */
function app(env: Env, name: 'MINI' | 'MP'): WechatApp | undefined {
  const [appId, secret] = [text(env, `WECHAT_${name}_APPID`), text(env, `WECHAT_${name}_SECRET`)]
  if (secret && !appId) throw new StartError(`设置 WECHAT_${name}_APPID 缺失：它和 WECHAT_${name}_SECRET 要一起设置。`)
  return appId && secret ? { appId, secret } : undefined
}

/** @throws StartError */
export const parseWechatLogin = (env: Env): WechatLoginSettings => ({
  mini: app(env, 'MINI'),
  web: app(env, 'MP'),
  reminder: parseReminder(env),
  baseUrl: baseUrl(env, 'WECHAT_API_BASE_URL', 'https://api.weixin.qq.com'),
})
