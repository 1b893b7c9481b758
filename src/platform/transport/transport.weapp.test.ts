import { transport } from '.'
import { NetFailure } from './port'

const failure = (running: { done: Promise<unknown> }) =>
  running.done.then(
    () => 'answered',
    (e: unknown) => (e instanceof NetFailure ? e.code : e),
  )
const get = { method: 'GET', url: 'https://x/', headers: {}, timeoutMs: 60_000 } as const
const up = { url: 'https://x/', file: 'wxfile://a', name: 'file', fields: {}, headers: {}, timeoutMs: 60_000 }
const task = { onProgressUpdate: () => undefined, onHeadersReceived: () => undefined }

afterEach(() => jest.restoreAllMocks())

it.each([
  ['request:fail timeout', undefined, 5],
  ['request:fail ', 5, 5],
  ['request:fail errcode:-118 cronet_error_code:-118 error_msg:net::ERR_CONNECTION_TIMED_OUT', 600001, 5],
  ['request:fail errcode:-101 net::ERR_CONNECTION_RESET', 600001, 5],
  ['request:fail abort', 600003, 600003],
])('says %s (%s) in the words of spec §8', async (errMsg, errno, code) => {
  jest.spyOn(wx, 'request').mockImplementation(({ fail }) => {
    fail({ errMsg, errno })
    return { abort: () => undefined }
  })
  expect(await failure(transport.request(get))).toBe(code)
})

it.each([
  ['request:fail timeout', 5, 'timeout'],
  ['request:fail url not in domain list', 600002, 'domain'],
  ['request:fail net::ERR_INTERNET_DISCONNECTED', 600001, 'offline'],
  ['request:fail errcode:-105 cronet_error_code:-105 error_msg:net::ERR_NAME_NOT_RESOLVED', 600001, 'unreachable'],
  ['request:fail errcode:-101 net::ERR_CONNECTION_RESET', 600001, 'unreachable'],
])('knows why: %s', async (errMsg, errno, reason) => {
  jest.spyOn(wx, 'request').mockImplementation(({ fail }) => {
    fail({ errMsg, errno })
    return { abort: () => undefined }
  })
  await expect(transport.request(get).done).rejects.toMatchObject({ code: 5, reason })
})

it('gives lower-case headers and parsed data, and asks the host not to parse', async () => {
  const request = jest.spyOn(wx, 'request').mockImplementation(({ success }) => {
    success({ statusCode: 460, header: { Date: 'now', 'X-Request-Id': 1 }, data: '{"a":"\u2028"}' })
    return { abort: () => undefined }
  })
  expect(await transport.request(get).done).toEqual({
    status: 460,
    headers: { date: 'now', 'x-request-id': '1' },
    data: { a: '\u2028' },
  })
  expect(request.mock.calls[0]?.[0]).toMatchObject({ dataType: 'text', timeout: 60_000 })
})

it('distinguishes a failed upload from a cancelled one', async () => {
  const abort = jest.fn()
  const upload = jest.spyOn(wx, 'uploadFile').mockImplementation(({ fail }) => {
    fail({ errMsg: 'uploadFile:fail file not found' })
    return { abort, ...task }
  })
  expect(await failure(transport.upload(up))).toBe(602001)
  upload.mockImplementation(({ fail }) => ({
    ...task,
    abort: () => fail({ errMsg: 'uploadFile:fail abort' }),
  }))
  const running = transport.upload(up)
  running.abort()
  expect(await failure(running)).toBe(600003)
})
