import type { Attributes, Context } from '@opentelemetry/api'
import type { FastifyInstance } from 'fastify'
import type { Job } from '../../domains/shared/job'
import { routeOf } from '../lifecycle'
import type { TracingSettings } from './settings'

declare module 'fastify' {
  interface FastifyRequest {
    /** set with tracing only */
    traceContext?: Context
  }
}

/** OpenTelemetry traces of requests, their queries and jobs. No span holds a value of a user: no query, body or parameter. */
export interface Tracing {
  register(app: FastifyInstance): void
  /** A statement that has ended now, as part of what runs. */
  query(sql: string, ms: number): void
  /** The same job, traced. */
  job(job: Job): Job
  /** Sends what has not been sent yet. */
  close(): Promise<void>
}

const NAME = 'game-account-valuation'

/** Loads the packages, so that a server without tracing never does. */
export async function startTracing({ endpoint, percent }: TracingSettings, role: string): Promise<Tracing> {
  const [api, { resourceFromAttributes }, sdk, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ])
  const { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = api
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` })
  const provider = new sdk.NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': NAME, 'service.instance.role': role }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(percent / 100) }),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter)],
  })
  // also makes W3C `traceparent` the format that is read
  provider.register()
  const tracer = trace.getTracer(NAME)

  return {
    register(app) {
      app.decorateRequest('traceContext', undefined)
      app.addHook('onRequest', (req, reply, done) => {
        const route = routeOf(req)
        const attributes: Attributes = { 'http.request.method': req.method, 'http.route': route, 'request.id': req.id }
        const caller = propagation.extract(ROOT_CONTEXT, req.headers)
        const span = tracer.startSpan(`${req.method} ${route}`, { kind: SpanKind.SERVER, attributes }, caller)
        req.traceContext = trace.setSpan(caller, span)
        const headers: Record<string, string> = {}
        propagation.inject(req.traceContext, headers)
        reply.headers(headers)
        done()
      })
      // after the body was read, which happens outside the context of the first hook
      app.addHook('preValidation', (req, _reply, done) => context.with(req.traceContext ?? ROOT_CONTEXT, done))
      app.addHook('onResponse', (req, reply, done) => {
        const span = req.traceContext && trace.getSpan(req.traceContext)
        span?.setAttribute('http.response.status_code', reply.statusCode)
        if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
        span?.end()
        done()
      })
    },
    query(sql, ms) {
      if (!trace.getActiveSpan()?.isRecording()) return
      const now = Date.now()
      const attributes = { 'db.system.name': 'postgresql', 'db.query.text': sql }
      const [verb = 'query'] = sql.trimStart().split(/\s/, 1)
      tracer.startSpan(verb, { kind: SpanKind.CLIENT, attributes, startTime: now - ms }).end(now)
    },
    job: ({ run, ...job }) => ({
      ...job,
      run: (deps, now) =>
        tracer.startActiveSpan(`job ${job.name}`, { root: true }, async (span) => {
          try {
            return await run(deps, now)
          } catch (error) {
            span.setStatus({ code: SpanStatusCode.ERROR })
            throw error
          } finally {
            span.end()
          }
        }),
    }),
    // a collector that is away must not hold up the end of the process
    close: () => provider.shutdown().catch(() => undefined),
  }
}
