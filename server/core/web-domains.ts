import { type Env, invalidSetting, text } from './env'

/** The games' official pages about accounts and rules. */
const usual = 'pvp.qq.com,gp.qq.com,df.qq.com,lolm.qq.com,val.qq.com,ys.mihoyo.com,sr.mihoyo.com,yjwujian.cn'

const DOMAIN = /^(?!-)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+$/

/**
 * `WEB_DOMAINS`: domains, including subdomains, that may be shown inside the app over https; `off` for none. The pages
 * of the account collector are added.
 */
export function webDomains(env: Env, collector: string | undefined): readonly string[] {
  const value = text(env, 'WEB_DOMAINS') ?? usual
  const listed = value === 'off' ? [] : value.split(',').map((word) => word.trim().toLowerCase())
  const wrong = listed.find((domain) => !DOMAIN.test(domain))
  if (wrong !== undefined) return invalidSetting('WEB_DOMAINS', '逗号分隔的域名（如 pvp.qq.com），或 off', wrong)
  return [...new Set([...listed, ...(collector ? [new URL(collector).host] : [])])]
}
