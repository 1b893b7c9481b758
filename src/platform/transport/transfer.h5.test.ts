import { transport } from '.'
import { NetFailure } from './port'

/**
 * Taro's use of the browser's XMLHttpRequest; the test plays the other end. Reads of `blob:` answer on their own.
 */
class FakeXhr {
  static newest: FakeXhr | undefined
  static reads: (() => void)[] = []
  upload: { onprogress?: ((e: object) => void) | null } = {}
  status = 0
  readyState = 0
  responseText = ''
  response = new Blob(['picture'])
  responseType = ''
  withCredentials = true
  sent: unknown
  sentHeaders: Record<string, string> = {}
  opened: string[] = []
  onload: (() => void) | null = null
  onerror: ((_: unknown) => void) | null = null
  onabort: (() => void) | null = null
  onprogress: ((e: object) => void) | null = null
  onreadystatechange: (() => void) | null = null
  open(method: string, url: string) {
    this.opened = [method, url]
    if (!url.startsWith('blob:')) FakeXhr.newest = this
  }
  setRequestHeader(name: string, value: string) {
    this.sentHeaders[name] = value
  }
  getAllResponseHeaders = () => 'X-Request-Id: r1\r\nDate: Sat, 21 Nov 2026 07:00:00 GMT\r\n'
  send(what?: unknown) {
    this.sent = what ?? 'nothing'
    if (!this.opened[1]?.startsWith('blob:')) return
    this.status = 200
    FakeXhr.reads.push(() => this.onload?.())
  }
  /** As a browser: without a sent request nothing happens, and it may still be sent. */
  abort() {
    if (this.sent !== undefined) this.onabort?.()
  }
  answer(status: number, responseText: string) {
    Object.assign(this, { status, responseText, readyState: 2 })
    this.onreadystatechange?.()
    Object.assign(this, { readyState: 4 })
    this.onreadystatechange?.()
    this.onload?.()
  }
}

// put back after each test; Taro reads the file of an upload by fetch and sends it by XMLHttpRequest
const real = { XMLHttpRequest, fetch: globalThis.fetch, createObjectURL: URL.createObjectURL }
let readFile: () => Promise<object>

beforeEach(() => {
  jest.useFakeTimers()
  FakeXhr.newest = undefined
  FakeXhr.reads = []
  percents.length = 0
  readFile = async () => ({ status: 200, headers: new Map(), arrayBuffer: async () => new ArrayBuffer(7) })
  // Taro's own use of them, see `real`
  Object.assign(globalThis, { XMLHttpRequest: FakeXhr, fetch: () => readFile() })
  URL.createObjectURL = () => 'blob:got'
})
afterEach(() => {
  const { createObjectURL, ...globals } = real
  Object.assign(globalThis, globals)
  URL.createObjectURL = createObjectURL
  jest.useRealTimers()
})

const percents: number[] = []
const onProgress = (percent: number) => void percents.push(percent)
const headers = { Token: 't' }

const codeOf = (done: Promise<unknown>) =>
  done.then(
    () => 'answered',
    (e: unknown) => (e instanceof NetFailure ? e.code : e),
  )

/** Until Taro itself reads the file. */
async function begin() {
  const running = transport.upload({
    url: 'https://x.test/up',
    file: 'blob:x',
    name: 'file',
    fields: { key: 'k' },
    headers,
    timeoutMs: 60_000,
    onProgress,
  })
  const failure = codeOf(running.done)
  await jest.advanceTimersByTimeAsync(0)
  return { running, failure }
}

async function taroReads() {
  for (const read of FakeXhr.reads.splice(0)) read()
  await jest.advanceTimersByTimeAsync(0)
}

async function start() {
  const begun = await begin()
  await taroReads()
  const xhr = FakeXhr.newest
  if (!xhr) throw new Error('nothing was sent')
  return { ...begun, xhr }
}

describe('an upload', () => {
  it('sends fields, then the file, reports progress, and returns status, lower-case headers and parsed data', async () => {
    const { running, xhr } = await start()
    expect([xhr.opened, xhr.sentHeaders, xhr.withCredentials]).toEqual([['POST', 'https://x.test/up'], headers, false])
    const parts = [...(xhr.sent as FormData)]
    expect(parts.map(([name, value]) => (value instanceof File ? [name, value.size] : [name, value]))).toEqual([
      ['key', 'k'],
      ['file', 7],
    ])
    for (const loaded of [0, 333, 1000]) xhr.upload.onprogress?.({ loaded, total: 1000 })
    xhr.upload.onprogress?.({ loaded: 5, total: 0 })
    expect(percents).toEqual([0, 33, 100])
    xhr.answer(413, '{"a":1}')
    expect(await running.done).toEqual({
      status: 413,
      headers: { 'x-request-id': 'r1', date: 'Sat, 21 Nov 2026 07:00:00 GMT' },
      data: { a: 1 },
    })
  })

  it('says 602001 when the line breaks or the file cannot be read', async () => {
    const { failure, xhr } = await start()
    xhr.onerror?.(new Event('error'))
    expect(await failure).toBe(602001)
    readFile = () => Promise.reject(new TypeError('gone'))
    expect(await (await begin()).failure).toBe(602001)
  })

  it('says 600003 when it is given up', async () => {
    const { running, failure, xhr } = await start()
    const stopped = jest.spyOn(xhr, 'abort')
    running.abort()
    expect(await failure).toBe(600003)
    expect(stopped).toHaveBeenCalled()
  })

  it('given up while the file is being read, is never sent', async () => {
    let read: (r: object) => void = () => undefined
    readFile = () =>
      new Promise((resolve) => {
        read = resolve
      })
    const { running, failure } = await begin()
    running.abort()
    expect(await failure).toBe(600003)
    read({ status: 200, headers: new Map(), arrayBuffer: async () => new ArrayBuffer(7) })
    await jest.advanceTimersByTimeAsync(0)
    expect(FakeXhr.newest).toBeUndefined()
  })

  it('given up while Taro reads the file, ends with the first byte sent', async () => {
    const { running, failure } = await begin()
    running.abort()
    expect(await failure).toBe(600003)
    await taroReads()
    const stopped = jest.spyOn(FakeXhr.newest ?? new FakeXhr(), 'abort')
    FakeXhr.newest?.upload.onprogress?.({ loaded: 1, total: 1000 })
    expect([stopped.mock.calls.length, percents]).toEqual([1, []])
  })

  it('says 5 after 60 seconds, and stops sending', async () => {
    const { failure, xhr } = await start()
    const stopped = jest.spyOn(xhr, 'abort')
    await jest.advanceTimersByTimeAsync(59_999)
    expect(stopped).not.toHaveBeenCalled()
    await jest.advanceTimersByTimeAsync(1)
    expect(await failure).toBe(5)
    expect(stopped).toHaveBeenCalled()
  })
})

describe('a download', () => {
  const begin = () => {
    const running = transport.download({ url: 'https://x.test/a.png', headers, timeoutMs: 60_000, onProgress })
    return { running, failure: codeOf(running.done), xhr: FakeXhr.newest ?? new FakeXhr() }
  }

  it('reports progress where the length is known, and returns status and file', async () => {
    const { running, xhr } = begin()
    expect([xhr.opened, xhr.sentHeaders, xhr.withCredentials]).toEqual([
      ['GET', 'https://x.test/a.png'],
      headers,
      false,
    ])
    for (const [loaded, total] of [
      [0, 0],
      [5, 0],
      [500, 1000],
    ])
      xhr.onprogress?.({ loaded, total })
    expect(percents).toEqual([50])
    xhr.answer(200, '')
    expect(await running.done).toEqual({ status: 200, file: 'blob:got' })
  })

  it('says 602001 when the line breaks, 600003 when it is given up, 5 after 60 seconds', async () => {
    const broken = begin()
    broken.xhr.onerror?.(new Event('error'))
    const given = begin()
    given.running.abort()
    const late = begin()
    await jest.advanceTimersByTimeAsync(60_000)
    expect(await Promise.all([broken.failure, given.failure, late.failure])).toEqual([602001, 600003, 5])
  })
})
