import { once } from 'node:events'
import { createServer } from 'node:http'
import { insertGamesWithoutSales } from './games-without-sales'
import { createTestDatabase, type TestDatabase } from './harness'
import { headersOf, type ServerProcess, startProcess } from './process'

interface Span {
  traceId: string
  parentSpanId?: string
  spanId: string
  name: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
}

let testDatabase: TestDatabase
let server: ServerProcess | undefined
const spans: Span[] = []
const collector = createServer(async (req, res) => {
  const parts: Buffer[] = []
  for await (const part of req) parts.push(part as Buffer)
  const body = JSON.parse(Buffer.concat(parts).toString()) as {
    resourceSpans: { scopeSpans: { spans: Span[] }[] }[]
  }
  for (const { scopeSpans } of body.resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans)
  res.writeHead(200, { 'content-type': 'application/json' }).end('{}')
})
beforeAll(async () => {
  collector.listen(0, '127.0.0.1')
  await once(collector, 'listening')
  testDatabase = await createTestDatabase()
  await insertGamesWithoutSales(testDatabase)
})
afterAll(async () => {
  server?.child.kill('SIGKILL')
  await server?.ended
  collector.close()
  testDatabase.remove()
})

test('a request is a span of its caller’s trace, with its statements as children and without parameter values', async () => {
  const { port } = collector.address() as { port: number }
  const endpoint = `http://127.0.0.1:${port}`
  server = startProcess({ ...testDatabase.env, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, TRACES_PERCENT: '0' })
  const url = await server.ready()
  const [traceId, callerId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
  const mobile = '13800138765'
  const body = JSON.stringify({ mobile, scene: 1 })
  const sent = await fetch(`${url}/app-api/user/auth/send-sms-code`, {
    method: 'POST',
    body,
    headers: { ...headersOf(body), traceparent: `00-${traceId}-${callerId}-01`, 'x-request-id': 'edge-12345678' },
  })
  expect(sent.status).toBe(200)
  expect(sent.headers.get('x-request-id')).toBe('edge-12345678')
  expect(sent.headers.get('traceparent')).toMatch(new RegExp(`^00-${traceId}-(?!${callerId})[0-9a-f]{16}-01$`))
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)

  const request = spans.find(({ name }) => name === 'POST /app-api/user/auth/send-sms-code')
  expect(request).toMatchObject({ traceId, parentSpanId: callerId })
  expect(request?.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: 200 } })
  expect(request?.attributes).toContainEqual({ key: 'request.id', value: { stringValue: 'edge-12345678' } })
  // the others follow TRACES_PERCENT
  expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([traceId]))
  const statements = spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId)
  expect(statements.length).toBeGreaterThan(0)
  expect(JSON.stringify(spans)).not.toContain(mobile)
})
