import {
  type Download,
  type Incoming,
  NetFailure,
  type NetworkCode,
  networkCode,
  parseBody,
  type Running,
  type Transport,
  type Upload,
} from './port'

/**
 * Own time-out and abort around `work`: the time-out covers the body too (spec §9: request and socket), and a
 * time-out can be told from an abort, which a bare AbortController cannot.
 */
function run<T>(timeoutMs: number, code: NetworkCode, work: (signal: AbortSignal) => Promise<T>): Running<T> {
  const controller = new AbortController()
  let why: NetFailure | undefined
  const stop = (failure: NetFailure) => {
    why ??= failure
    controller.abort()
  }
  const timer = setTimeout(() => stop(new NetFailure(networkCode.failure, 'timeout')), timeoutMs)
  const done = work(controller.signal)
    .catch(() => {
      throw why ?? new NetFailure(code, globalThis.navigator?.onLine === false ? 'offline' : 'unreachable')
    })
    .finally(() => clearTimeout(timer))
  return { done, abort: () => stop(new NetFailure(networkCode.aborted)) }
}

async function read(r: Response) {
  const headers: Record<string, string> = {}
  r.headers.forEach((value, name) => {
    headers[name.toLowerCase()] = value
  })
  return { status: r.status, headers, data: parseBody(await r.text()) }
}

async function toForm({ file, name, fields }: Upload, signal: AbortSignal) {
  const form = new FormData()
  for (const [key, value] of Object.entries(fields)) form.append(key, value)
  // last: object storages ignore what comes after the file
  form.append(name, await (await fetch(file, { signal })).blob(), 'file')
  return form
}

/** fetch does not tell how far an upload is. No content type: the browser sets it together with the boundary. */
function post({ url, headers, onProgress }: Upload, form: FormData, signal: AbortSignal) {
  return new Promise<Incoming>((resolve, reject) => {
    const xhr = new XMLHttpRequest()
    xhr.open('POST', url)
    for (const [header, value] of Object.entries(headers)) xhr.setRequestHeader(header, value)
    xhr.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable) onProgress?.(Math.round((loaded / total) * 100))
    }
    xhr.onload = () => resolve({ status: xhr.status, headers: parseHeaders(xhr), data: parseBody(xhr.responseText) })
    xhr.onerror = xhr.onabort = reject
    signal.addEventListener('abort', () => xhr.abort())
    // given up while the file was being read
    if (signal.aborted) reject()
    else xhr.send(form)
  })
}

function parseHeaders(xhr: XMLHttpRequest) {
  const lines = xhr.getAllResponseHeaders().trim().split('\r\n')
  const pairs = lines.map((line): [string, string] => {
    const at = line.indexOf(':')
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]
  })
  return Object.fromEntries(pairs.filter(([header]) => header !== ''))
}

/** The body, told as it comes where its length is known. */
async function blobOf(r: Response, onProgress: Download['onProgress']): Promise<Blob> {
  const total = Number(r.headers.get('content-length'))
  const reader = onProgress && total > 0 ? r.body?.getReader() : undefined
  if (!reader || !onProgress) return r.blob()
  const parts: Uint8Array<ArrayBuffer>[] = []
  let got = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    parts.push(next.value)
    got += next.value.length
    onProgress(Math.min(100, Math.round((got / total) * 100)))
  }
  return new Blob(parts, { type: r.headers.get('content-type') ?? '' })
}

export const transport: Transport = {
  request: ({ method, url, headers, body, timeoutMs }) =>
    run(timeoutMs, networkCode.failure, async (signal) =>
      read(await fetch(url, { method, headers, body, signal, credentials: 'omit', cache: 'no-store' })),
    ),
  upload: (o) => run(o.timeoutMs, networkCode.transfer, async (signal) => post(o, await toForm(o, signal), signal)),
  download: ({ url, headers, timeoutMs, onProgress }) =>
    run(timeoutMs, networkCode.transfer, async (signal) => {
      const r = await fetch(url, { headers, signal, credentials: 'omit' })
      return { status: r.status, file: URL.createObjectURL(await blobOf(r, onProgress)) }
    }),
}
