import { transport } from '.'
import { NetFailure } from './port'

/** What the upload does to the browser's XMLHttpRequest; the test plays the other end. */
class FakeXhr {
  static newest: FakeXhr | undefined
  upload: { onprogress?: (e: object) => void } = {}
  status = 0
  responseText = ''
  sent: FormData | undefined
  sentHeaders: Record<string, string> = {}
  opened: string[] = []
  onload = () => undefined
  onerror = (_: unknown) => undefined
  onabort = (_: unknown) => undefined
  constructor() {
    FakeXhr.newest = this
  }
  open(...how: string[]) {
    this.opened = how
  }
  setRequestHeader(name: string, value: string) {
    this.sentHeaders[name] = value
  }
  getAllResponseHeaders = () => 'X-Request-Id: r1\r\nDate: Sat, 21 Nov 2026 07:00:00 GMT\r\n'
  send(form: FormData) {
    this.sent = form
  }
  abort() {
    this.onabort(new Event('abort'))
  }
}

const real = { XMLHttpRequest, fetch: globalThis.fetch }
let readFile: () => Promise<{ blob(): Promise<Blob> }>

beforeEach(() => {
  jest.useFakeTimers()
  FakeXhr.newest = undefined
  readFile = async () => ({ blob: async () => new Blob(['picture']) })
  Object.assign(globalThis, { XMLHttpRequest: FakeXhr, fetch: () => readFile() })
})
afterEach(() => {
  Object.assign(globalThis, real)
  jest.useRealTimers()
})

const percents: number[] = []

async function start() {
  const running = transport.upload({
    url: 'https://x.test/up',
    file: 'blob:x',
    name: 'file',
    fields: { key: 'k' },
    headers: { Token: 't' },
    timeoutMs: 60_000,
    onProgress: (percent) => percents.push(percent),
  })
  const failure = running.done.then(
    () => 'answered',
    (e: unknown) => (e instanceof NetFailure ? e.code : e),
  )
  await jest.advanceTimersByTimeAsync(0)
  return { running, failure, xhr: FakeXhr.newest }
}

it('sends fields, then the file, tells how far it is, and gives status, lower-case headers and parsed data', async () => {
  const { running, xhr } = await start()
  if (!xhr) throw new Error('nothing was sent')
  expect([xhr.opened, xhr.sentHeaders]).toEqual([['POST', 'https://x.test/up'], { Token: 't' }])
  const parts = [...(xhr.sent ?? new FormData())]
  expect(parts.map(([name, value]) => (value instanceof File ? [name, value.size] : [name, value]))).toEqual([
    ['key', 'k'],
    ['file', 7],
  ])
  for (const loaded of [0, 333, 1000]) xhr.upload.onprogress?.({ lengthComputable: true, loaded, total: 1000 })
  xhr.upload.onprogress?.({ lengthComputable: false, loaded: 5, total: 0 })
  expect(percents).toEqual([0, 33, 100])
  Object.assign(xhr, { status: 413, responseText: '{"a":1}' })
  xhr.onload()
  expect(await running.done).toEqual({
    status: 413,
    headers: { 'x-request-id': 'r1', date: 'Sat, 21 Nov 2026 07:00:00 GMT' },
    data: { a: 1 },
  })
})

it('says 602001 when the line breaks or the file cannot be read', async () => {
  const { failure, xhr } = await start()
  xhr?.onerror(new Event('error'))
  expect(await failure).toBe(602001)
  readFile = () => Promise.reject(new TypeError('gone'))
  expect(await (await start()).failure).toBe(602001)
})

it('says 600003 when it is given up, also while the file is still being read, which then is never sent', async () => {
  const first = await start()
  first.running.abort()
  expect(await first.failure).toBe(600003)
  FakeXhr.newest = undefined
  let read: (r: { blob(): Promise<Blob> }) => void = () => undefined
  readFile = () =>
    new Promise((resolve) => {
      read = resolve
    })
  const second = await start()
  second.running.abort()
  read({ blob: async () => new Blob(['picture']) })
  expect(await second.failure).toBe(600003)
  expect((FakeXhr.newest as FakeXhr | undefined)?.sent).toBeUndefined()
})

it('says 5 after 60 seconds, and stops sending', async () => {
  const { failure, xhr } = await start()
  const stopped = jest.spyOn(xhr ?? new FakeXhr(), 'abort')
  await jest.advanceTimersByTimeAsync(59_999)
  expect(stopped).not.toHaveBeenCalled()
  await jest.advanceTimersByTimeAsync(1)
  expect(await failure).toBe(5)
  expect(stopped).toHaveBeenCalledTimes(1)
})
