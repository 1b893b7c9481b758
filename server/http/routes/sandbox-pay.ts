import type { FastifyInstance } from 'fastify'
import { yuan } from '@/contract/format'
import { AppError, invalid, textField } from '../../core/app-error'
import { depsOf, type Lifecycle } from '../../core/lifecycle'
import { handlePaymentWebhook } from '../../domains/payments/payment-webhook'
import type { SandboxResult } from '../../providers/pay/sandbox'
import { Html, html } from '../html'

const results: readonly SandboxResult[] = ['SUCCESS', 'FAIL', 'DUPLICATE']
const words: { readonly [R in SandboxResult]: string } = {
  SUCCESS: '支付成功',
  FAIL: '支付失败',
  DUPLICATE: '支付成功，通知重复到达',
}

type SandboxPayment = { orderId?: unknown; paymentId?: unknown; result?: unknown } | null
type Page = { Params: { id: string } }

const css =
  new Html(`body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:375px;padding:24px;color:#1d2129;background:#f7f8fa}
main{background:#fff;border-radius:12px;padding:24px;text-align:center}
.tag{display:inline-block;padding:2px 10px;border-radius:4px;background:#fff3e0;color:#8a4b00}
.sum{font-size:36px;font-weight:700;margin:16px 0 24px}
button{display:block;width:100%;min-height:48px;margin-top:12px;border-radius:24px;border:1px solid #c9cdd4;background:#fff;color:#1d2129;font-size:16px}
button.go{background:#1f5eff;border-color:#1f5eff;color:#fff}`)

/** A minimal page marked as the sandbox's; without scripts, so that it works in a browser, a frame and a web view. */
export const page = (title: string, body: Html): string =>
  html`<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title><link rel="icon" href="data:,"><style>${css}</style></head><body><main><span class="tag">沙箱</span>${body}</main></body></html>`
    .text

/** The forms of these pages. */
export function acceptForms(app: FastifyInstance): void {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_req, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
}

/** Simulates payment providers: signs messages and sends them through the regular webhook. */
export async function registerSandboxPay(app: FastifyInstance, lifecycle: Lifecycle): Promise<void> {
  const attempts = () => depsOf(lifecycle).db.selectFrom('payments').selectAll().where('provider', '=', 'sandbox')

  async function act(payment: { id: string; amount_fen: number }, result: SandboxResult) {
    const { pay } = depsOf(lifecycle).providers
    const messages = pay.sandbox?.act({ outTradeNo: payment.id, amountFen: payment.amount_fen }, result) ?? []
    for (const message of messages) await handlePaymentWebhook(depsOf(lifecycle), 'sandbox', message)
  }

  const resultOf = (given: unknown): SandboxResult => {
    const result = results.find((r) => r === given)
    if (!result) throw invalid([{ path: 'result', msg: `应为 ${results.join('、')} 之一` }])
    return result
  }

  /** The newest payment of the order, or an earlier one that the body names, to pay the same order twice. */
  async function paymentOf(body: SandboxPayment) {
    let query = attempts().where('order_id', '=', textField('orderId', body?.orderId))
    if (body?.paymentId !== undefined) query = query.where('id', '=', textField('paymentId', body.paymentId))
    const payment = await query.orderBy('created_at', 'desc').orderBy('id').limit(1).executeTakeFirst()
    if (!payment) throw new AppError('NOT_FOUND', { msg: '这个订单还没有在沙箱中发起支付' })
    return payment
  }

  app.post<{ Body: SandboxPayment }>('/sandbox/pay', { schema: { hide: true } }, async ({ body }) => {
    const result = resultOf(body?.result)
    const payment = await paymentOf(body)
    await act(payment, result)
    return { orderId: payment.order_id, paymentId: payment.id, result }
  })

  acceptForms(app)
  // own policy: styles only, and the return link may lead to another origin
  const csp = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'self'"
  const found = async (id: string) => {
    const payment = await attempts().where('id', '=', id).executeTakeFirst()
    if (!payment) throw new AppError('NOT_FOUND')
    return payment
  }

  app.get<Page>('/sandbox/cashier/:id', { schema: { hide: true } }, async ({ params }, reply) => {
    const payment = await found(params.id)
    const buttons = results.map(
      (r) => html`<button class="${r === 'SUCCESS' && 'go'}" name="result" value="${r}">${words[r]}</button>`,
    )
    const body = html`<p>这里不会真实扣款，请选择支付平台要返回的结果</p><div class="sum">${yuan(payment.amount_fen)}</div>
<form method="post">${buttons}</form><p><a href="${payment.return_url}">返回商家</a></p>`
    reply.header('content-security-policy', csp).header('cache-control', 'no-store').type('text/html; charset=utf-8')
    return page('沙箱收银台', body)
  })

  app.post<Page & { Body: SandboxPayment }>('/sandbox/cashier/:id', { schema: { hide: true } }, async (req, reply) => {
    const payment = await found(req.params.id)
    await act(payment, resultOf(req.body?.result))
    return reply.header('content-security-policy', csp).redirect(payment.return_url, 303)
  })
}
