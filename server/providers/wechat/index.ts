import type { Settings } from '../../settings'
import { createWechat } from './http'
import type { WechatPort } from './port'
import { createSandboxWechat } from './sandbox'

/** WeChat if an app is configured, else the sandbox's if the server is one, else none. */
export function openWechat({ wechatLogin, sandbox }: Pick<Settings, 'wechatLogin' | 'sandbox'>): WechatPort {
  const real = wechatLogin.mini !== undefined || wechatLogin.web !== undefined
  return sandbox && !real ? createSandboxWechat() : createWechat(wechatLogin)
}
