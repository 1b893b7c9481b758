import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { invalid } from '../../core/app-error'
import { depsOf, type Lifecycle } from '../../core/lifecycle'
import { SANDBOX_WECHAT, sandboxCode } from '../../providers/wechat/sandbox'
import { html } from '../html'
import { requestOrigin } from './calls'
import { page } from './sandbox-pay'

const people = { jia: '微信用户甲', yi: '微信用户乙', '': '没来过的微信用户' }

type AuthorizeQuery = { redirect_uri?: unknown; state?: unknown }

/** Simulates WeChat's authorisation page: choose a user and return with a code. */
export async function registerSandboxWechat(app: FastifyInstance, lifecycle: Lifecycle): Promise<void> {
  const csp =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
  app.get<{ Querystring: AuthorizeQuery }>(SANDBOX_WECHAT, { schema: { hide: true } }, async (req, reply) => {
    const deps = depsOf(lifecycle)
    const [wanted, state] = [String(req.query.redirect_uri ?? ''), String(req.query.state ?? '')]
    // like WeChat, it redirects to the registered domain only
    if (!URL.canParse(wanted) || new URL(wanted).origin !== new URL(requestOrigin(deps, req)).origin)
      throw invalid([{ path: 'redirect_uri', msg: '返回地址不属于本站' }])
    const back = (code?: string) => {
      const url = new URL(wanted)
      if (code) url.searchParams.set('code', code)
      url.searchParams.set('state', state)
      return url.href
    }
    const nonce = () => randomBytes(8).toString('hex')
    const choices = Object.entries(people).map(
      ([who, name]) => html`<a class="choice" href="${back(sandboxCode(who || `new${nonce()}`, nonce()))}">${name}</a>`,
    )
    reply.header('content-security-policy', csp).header('cache-control', 'no-store').type('text/html; charset=utf-8')
    return page(
      '沙箱微信登录',
      html`<p>这里代替微信的授权，请选择您是谁</p>${choices}<p><a href="${back()}">取消</a></p>`,
    )
  })
}
