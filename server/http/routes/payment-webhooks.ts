import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../core/app-error'
import { depsOf, type Lifecycle } from '../../core/lifecycle'
import { handlePaymentWebhook } from '../../domains/payments/payment-webhook'
import { networkHashesOf } from '../../domains/shared/network'
import type { PayProvider, ProviderName } from '../../providers/pay/port'

/** Providers that may call from outside; the sandbox provider runs in this process. */
const outside = ['wechat', 'alipay', 'virtual'] as const satisfies readonly ProviderName[]

type Call = FastifyRequest<{ Params: { provider: string }; Querystring: Record<string, string> }>

function providerOf(lifecycle: Lifecycle, req: Call) {
  const name = outside.find((p) => p === req.params.provider)
  const deps = depsOf(lifecycle)
  if (!name || !deps.settings.pay[name]) throw new AppError('NOT_FOUND')
  return { deps, name }
}

/** Providers read status and body as their documentation specifies; the message is for operators. */
function no(reply: FastifyReply, provider: PayProvider, status: number, message: string) {
  const { type, body } = provider.refusal(message)
  return reply.code(status).type(type).send(body)
}

/**
 * Webhooks of payment providers: `POST /pay/notify/<provider>`, verified by the provider's signature over the exact
 * body. Acknowledged only after everything they cause has been committed.
 */
export async function registerPaymentWebhooks(app: FastifyInstance, lifecycle: Lifecycle): Promise<void> {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_req, body, done) => done(null, body))

  app.post('/pay/notify/:provider', { schema: { hide: true }, config: { shed: 'never' } }, async (req: Call, reply) => {
    const { deps, name } = providerOf(lifecycle, req)
    const body = typeof req.body === 'string' ? req.body : ''
    const log = req.log as typeof deps.log
    const raw = { headers: req.headers, query: req.query, body }
    const [net] = networkHashesOf({ encryption: deps.encryption, ip: req.ip })
    const received = await handlePaymentWebhook({ ...deps, log }, name, raw, async (why) => {
      if (await deps.limits.take('forgedLog', net)) log.warn({ provider: name, why }, 'forged notification')
    })
    const provider = await deps.providers.pay.get(name)
    if (received === 'FORGED') return no(reply, provider, 401, '验签失败')
    if (received === 'UNCONFIRMED') return no(reply, provider, 503, '查询尚未显示退款')
    if (received === 'REFUSED') return no(reply, provider, 400, '与订单不符')
    const answer = received === 'DONE' ? provider.ack : provider.refundAdvice?.(received === 'DELIVERED')
    const { type, body: text } = answer ?? provider.ack
    return reply.type(type).send(text)
  })

  // the mini-program's console verifies the address once by a GET
  app.get('/pay/notify/:provider', { schema: { hide: true } }, async (req: Call, reply) => {
    const { deps, name } = providerOf(lifecycle, req)
    const echo = (await deps.providers.pay.get(name)).verifyEndpoint?.(req.query)
    if (echo === undefined) throw new AppError('NOT_FOUND')
    return reply.type('text/plain').send(echo)
  })
}
