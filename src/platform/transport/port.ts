/** Spec §8: 5 = time-out or network failure, 600003 = aborted, 602001 = upload or download failure. */
export const networkCode = { failure: 5, aborted: 600003, transfer: 602001 } as const
export type NetworkCode = (typeof networkCode)[keyof typeof networkCode]

/**
 * Why there is no response, as far as the runtime reports it: the device has no connection, the server cannot be
 * reached, the request timed out, or the domain is not registered with the host.
 */
export type NetworkReason = 'offline' | 'unreachable' | 'timeout' | 'domain'

/** No response arrived. The messages of all runtimes are mapped to this. */
export class NetFailure extends Error {
  constructor(
    readonly code: NetworkCode,
    readonly reason?: NetworkReason,
  ) {
    super(`network ${code}`)
  }
}

export interface Outgoing {
  method: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  /** Sent byte for byte: it is what was signed. */
  body?: string
  timeoutMs: number
}

export interface TransportResponse {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  /** Parsed JSON, or the text when it is none. */
  data: unknown
}

export interface Upload {
  url: string
  /** Result of the picture chooser: a `blob:` address on h5, a temporary path in the mini-program. */
  file: string
  /** Name of the form field that carries the file. */
  name: string
  fields: Record<string, string>
  headers: Record<string, string>
  timeoutMs: number
  /** 0 to 100; not called where the runtime does not report it. */
  onProgress?: (percent: number) => void
}

export interface Download {
  url: string
  headers: Record<string, string>
  timeoutMs: number
  /** 0 to 100; not called where the runtime does not report it. */
  onProgress?: (percent: number) => void
}

export interface DownloadResult {
  status: number
  /** `blob:` address on h5, temporary path in the mini-program. */
  file: string
}

/** A running transfer: `done` rejects with NetFailure only; `abort` makes it reject with 600003. */
export interface Running<T> {
  done: Promise<T>
  abort(): void
}

export interface Transport {
  request(o: Outgoing): Running<TransportResponse>
  upload(o: Upload): Running<TransportResponse>
  download(o: Download): Running<DownloadResult>
}

/** JSON where it is JSON. */
export function parseBody(text: unknown): unknown {
  if (typeof text !== 'string') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
