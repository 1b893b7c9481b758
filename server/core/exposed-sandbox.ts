import type { Settings } from '../settings'

type Exposure = Pick<Settings, 'sandbox' | 'host' | 'publicUrl' | 'pay'>

const isLocal = (hostname: string) => /^(localhost|127(\.\d+){3}|\[?::1\]?)$/.test(hostname)

/**
 * Warning that strangers may reach the sandbox, mostly because NODE_ENV was forgotten or misspelt: a reverse proxy on
 * this machine makes even a server public that listens on localhost. undefined when no setting says so.
 */
export function exposedSandbox({ sandbox, host, publicUrl, pay }: Exposure): string | undefined {
  if (!sandbox) return undefined
  const signs = [
    publicUrl !== undefined && !isLocal(new URL(publicUrl).hostname) && `PUBLIC_URL 是 ${publicUrl}`,
    !isLocal(host) && `HOST 是 ${host}`,
    (pay.wechat || pay.alipay || pay.virtual) && '已接入真实支付',
  ].filter((sign) => typeof sign === 'string')
  if (signs.length === 0) return undefined
  return `⚠ 沙箱开着，而且 ${signs.join('，')}：能访问它的人都可以读取验证码、登录任何账号，不付款完成订单，用公开的密码登录工作台。对外服务请设 NODE_ENV=production。`
}
