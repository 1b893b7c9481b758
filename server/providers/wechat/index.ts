import type { Settings } from '../../settings'
import { createWechat } from './http'
import type { WechatPort } from './port'
import { createSandboxWechat } from './sandbox'

/** WeChat itself where an app of it is set up, else the sandbox's where the server is one, else nobody. */
export function openWechat(
  { wechatLogin, sandbox }: Pick<Settings, 'wechatLogin' | 'sandbox'>,
  realNow: () => number = Date.now,
): WechatPort {
  const real = wechatLogin.mini !== undefined || wechatLogin.web !== undefined
  return sandbox && !real ? createSandboxWechat() : createWechat(wechatLogin, realNow)
}
