import { network } from '@/platform/network'
import {
  NetFailure,
  type NetworkCode,
  type NetworkReason,
  networkCode,
  parseBody,
  type Running,
  type Transport,
} from './port'

/** WeChat's number for a domain that is not in the app's list */
const NOT_LISTED = 600002

/** What the runtime's own words say. A file that cannot be sent or stored has no reason of the network. */
function reasonOf({ errMsg, errno }: WxFailure): NetworkReason | undefined {
  if (errno === NOT_LISTED || /not in (the )?domain list/i.test(errMsg)) return 'domain'
  if (/INTERNET_DISCONNECTED|network is down/i.test(errMsg) || !network.online()) return 'offline'
  return /net::ERR_|cronet|ssl|socket|connect|host/i.test(errMsg) ? 'unreachable' : undefined
}

/** The runtime's own words (`request:fail timeout`, `request:fail abort`, errno) to the three codes of spec §8. */
function failure(e: WxFailure, code: NetworkCode): NetFailure {
  if (/abort/i.test(e.errMsg) || e.errno === networkCode.aborted) return new NetFailure(networkCode.aborted)
  if (/timed?[\s_-]*out/i.test(e.errMsg)) return new NetFailure(networkCode.failure, 'timeout')
  return new NetFailure(code, reasonOf(e))
}

function run<T>(
  code: NetworkCode,
  start: (ok: (value: T) => void, fail: (e: WxFailure) => void) => WxTask,
): Running<T> {
  let task: WxTask | undefined
  const done = new Promise<T>((resolve, reject) => {
    task = start(resolve, (e) => reject(failure(e, code)))
  })
  return { done, abort: () => task?.abort() }
}

function lower(headers: Record<string, unknown> = {}) {
  const out: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) out[name.toLowerCase()] = String(value)
  return out
}

export const transport: Transport = {
  request: ({ method, url, headers, body, timeoutMs }) =>
    run(networkCode.failure, (ok, fail) =>
      wx.request({
        url,
        method,
        data: body,
        header: headers,
        timeout: timeoutMs,
        dataType: 'text',
        success: (r) => ok({ status: r.statusCode, headers: lower(r.header), data: parseBody(r.data) }),
        fail,
      }),
    ),
  upload: ({ url, file, name, fields, headers, timeoutMs, onProgress }) =>
    run(networkCode.transfer, (ok, fail) => {
      const task = wx.uploadFile({
        url,
        filePath: file,
        name,
        formData: fields,
        header: headers,
        timeout: timeoutMs,
        success: (r) => ok({ status: r.statusCode, headers: {}, data: parseBody(r.data) }),
        fail,
      })
      if (onProgress) task.onProgressUpdate((p) => onProgress(p.progress))
      return task
    }),
  download: ({ url, headers, timeoutMs, onProgress }) =>
    run(networkCode.transfer, (ok, fail) => {
      const task = wx.downloadFile({
        url,
        header: headers,
        timeout: timeoutMs,
        success: (r) => ok({ status: r.statusCode, file: r.tempFilePath }),
        fail,
      })
      if (onProgress) task.onProgressUpdate((p) => onProgress(p.progress))
      return task
    }),
}
