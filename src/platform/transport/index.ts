import Taro from '@tarojs/taro'
import { network } from '@/platform/network'
import {
  NetFailure,
  type NetworkCode,
  type NetworkReason,
  networkCode,
  parseBody,
  type Running,
  type Transport,
  type TransportResponse,
} from './port'

/** WeChat's error number for a domain that is not registered */
const NOT_LISTED = 600002

/** Rejection of Taro's promises: the host's own object, or an Error that Taro gave an `errMsg`. */
interface Failure {
  name?: string
  errMsg?: string
  errno?: number
}

/** Classifies the runtime's message. A file that cannot be sent or stored has no network reason. */
function reasonOf({ name, errMsg = '', errno }: Failure): NetworkReason | undefined {
  if (errno === NOT_LISTED || /not in (the )?domain list/i.test(errMsg)) return 'domain'
  if (/INTERNET_DISCONNECTED|network is down/i.test(errMsg) || !network.online()) return 'offline'
  // fetch only throws a TypeError, whose message differs between browsers
  const unreachable = name === 'TypeError' || /net::ERR_|cronet|ssl|socket|connect|host/i.test(errMsg)
  return unreachable ? 'unreachable' : undefined
}

/** Maps the runtime's messages (`request:fail timeout`, `request:fail abort`, errno) to the three codes of spec §8. */
function failure(e: Failure, code: NetworkCode): NetFailure {
  if (e instanceof NetFailure) return e
  const { errMsg = '', errno } = e
  if (/abort/i.test(errMsg) || errno === networkCode.aborted) return new NetFailure(networkCode.aborted)
  if (/timed?[\s_-]*out/i.test(errMsg)) return new NetFailure(networkCode.failure, 'timeout')
  return new NetFailure(code, reasonOf(e))
}

/**
 * Settles with whichever comes first: response, time-out or abort. Not Taro's, because on h5 its time-out
 * of a request ends with the headers and looks like an abort (spec §9: request and socket), an upload whose file cannot
 * be read never settles, and one that is aborted while its file is being read is sent nevertheless.
 * @param stop makes the runtime end what it does
 */
function run<T>(code: NetworkCode, timeoutMs: number, work: Promise<T>, stop: () => void): Running<T> {
  let refuse: (why: NetFailure) => void = () => undefined
  const ended = new Promise<never>((_, reject) => {
    refuse = reject
  })
  const end = (why: NetFailure) => {
    refuse(why)
    stop()
  }
  const timer = setTimeout(() => end(new NetFailure(networkCode.failure, 'timeout')), timeoutMs)
  const answered = work.catch((e: Failure) => {
    throw failure(e, code)
  })
  const done = Promise.race([ended, answered])
  const settled = () => clearTimeout(timer)
  done.then(settled, settled)
  return { done, abort: () => end(new NetFailure(networkCode.aborted)) }
}

/** `a: b` of each line. */
const linesOf = (text: string) =>
  text.split('\r\n').flatMap((line): [string, string][] => {
    const colon = line.indexOf(':')
    return colon > 0 ? [[line.slice(0, colon), line.slice(colon + 1).trim()]] : []
  })

/** Headers with lower-case names; an upload on h5 gets them as one text. */
function headersOf(header: string | Record<string, unknown> = {}): TransportResponse['headers'] {
  const pairs = typeof header === 'string' ? linesOf(header) : Object.entries(header)
  return Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), String(value)]))
}

/** Without a known length Taro's h5 divides by 0. */
const progressReporter = (onProgress?: (percent: number) => void) => (p: { progress: number }) => {
  if (p.progress >= 0 && p.progress <= 100) onProgress?.(p.progress)
}

export const transport: Transport = {
  request({ method, url, headers, body, timeoutMs }) {
    // browsers only: Taro's own abort on h5 ends with the headers
    const control = typeof AbortController === 'undefined' ? undefined : new AbortController()
    const task = Taro.request<string, string | undefined>({
      url,
      method,
      // a string is sent unchanged: these bytes were signed
      data: body,
      header: headers,
      timeout: timeoutMs,
      // otherwise a response that is not JSON, such as a proxy's page, would be null on h5
      dataType: 'text',
      ...(control && { signal: control.signal, credentials: 'omit' }),
    })
    const read = (r: Taro.request.SuccessCallbackResult<string>): TransportResponse => ({
      status: r.statusCode,
      headers: headersOf(r.header),
      data: parseBody(r.data),
    })
    return run(networkCode.failure, timeoutMs, task.then(read), () => {
      control?.abort()
      // undefined on h5 if a signal was passed
      task.abort?.()
    })
  },

  upload({ url, file, name, fields, headers, timeoutMs, onProgress }) {
    let task: Taro.UploadTask.UploadTaskPromise | undefined
    let ended = false
    const report = progressReporter(onProgress)
    const send = async (): Promise<TransportResponse> => {
      // read first, because Taro's h5 reports nothing for a file that cannot be read
      if (file.startsWith('blob:')) await Taro.request({ url: file, responseType: 'arraybuffer' })
      if (ended) throw new NetFailure(networkCode.aborted)
      let heard: TransportResponse['headers'] = {}
      // Taro puts the file last: object storages ignore the fields after it
      const sent = Taro.uploadFile({
        url,
        filePath: file,
        name,
        formData: fields,
        header: headers,
        timeout: timeoutMs,
        withCredentials: false,
      })
      task = sent
      // the response itself has no headers
      sent.onHeadersReceived(({ header }) => {
        heard = headersOf(header)
      })
      sent.onProgressUpdate((p) => {
        // aborted while Taro's h5 was reading the file
        if (ended) sent.abort()
        else report(p)
      })
      const { statusCode, data } = await sent
      return { status: statusCode, headers: heard, data: parseBody(data) }
    }
    return run(networkCode.transfer, timeoutMs, send(), () => {
      ended = true
      task?.abort()
    })
  },

  download({ url, headers, timeoutMs, onProgress }) {
    const task = Taro.downloadFile({ url, header: headers, timeout: timeoutMs, withCredentials: false })
    task.onProgressUpdate(progressReporter(onProgress))
    const read = (r: Taro.downloadFile.FileSuccessCallbackResult) => ({ status: r.statusCode, file: r.tempFilePath })
    return run(networkCode.transfer, timeoutMs, task.then(read), () => task.abort())
  },
}
