import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { mobileIssue } from '@/contract/rules'
import { type WechatPort, WechatRejected, type WechatUser } from './port'

/** Who authorises silently, and the user of any code from the real host: DevTools has a single user. */
const VISITOR = 'visitor'
const VISITOR_PHONE = '13800138000'
const MAX_CODES = 10_000
/** Text that the sandbox's check refuses. */
export const SANDBOX_RISKY = '违规'

/** `sandbox.WHO.nonce`; the nonce makes codes single-use, like WeChat's own. */
const CODE = /^sandbox\.([a-z0-9]{1,32})\.([A-Za-z0-9]{4,64})$/

/** Simulated WeChat: a code contains its user. Used only if the server was started as a sandbox. */
export function createSandboxWechat(): WechatPort {
  const used = new LRUCache<string, true>({ max: MAX_CODES })
  function whoOf(code: string): string {
    const who = CODE.exec(code)?.[1]
    if (!who) return VISITOR
    if (used.has(code)) throw new WechatRejected(40163)
    used.set(code, true)
    return who
  }
  const user = (app: 'mini' | 'web', who: string): WechatUser => ({
    appId: `sandbox-${app}`,
    openid: `sandbox-${app}-${who}`,
    unionid: `sandbox-${who}`,
  })
  return {
    enabledLogins: { mini: true, web: true },
    session: async (code) => ({ ...user('mini', whoOf(code)), sessionKey: '' }),
    async phone(code) {
      const number = whoOf(code)
      return mobileIssue(number) ? VISITOR_PHONE : number
    },
    authorizeUrl({ redirectUri, state }) {
      const code = `sandbox.${VISITOR}.${randomBytes(8).toString('hex')}`
      return `${redirectUri}?${new URLSearchParams({ code, state })}`
    },
    // there is no WeChat app that could show one
    reminderAppId: undefined,
    remind: async () => undefined,
    shipped: async () => undefined,
    checksTextsOf: 'sandbox-mini',
    isTextFine: async ({ text }) => !text.includes(SANDBOX_RISKY),
    jsTicket: async () => ({ appId: 'sandbox-web', ticket: 'sandbox-ticket' }),
    webUser: async (code) => {
      if (!CODE.test(code)) throw new WechatRejected(40029)
      return user('web', whoOf(code))
    },
  }
}
