import { newState, type WechatLogin } from './port'

/** A browser has no login of the host. */
export const wechatLogin: WechatLogin = { code: async () => undefined, state: newState }
