import type { ErrorBehaviour } from '@/contract/errors'

export interface FieldError {
  path: string
  msg: string
}

interface ErrorDetails {
  /** `business`: HTTP 200 with `success: false`; `abort`: no caller waits for the response any more. */
  kind: 'http' | 'business' | 'network' | 'abort'
  /** Body code where there is one, else the HTTP status or the network code. */
  code: string | number
  /** Message for the user, in Chinese. */
  msg: string
  behaviour: ErrorBehaviour
  status?: number
  requestId?: string
  /** Invalid fields of a rejected form. */
  fields?: FieldError[]
  /** The server's message where the table of spec §8 has a more general one. */
  serverMsg?: string
  /** `data` of a rejected call, e.g. when a retry is allowed. */
  data?: unknown
  /** The same request may succeed a moment later. */
  retry?: boolean
  /** Token the failed request was sent with. */
  usedToken?: string
}

/** The only thing an api call rejects with. */
export class ApiError extends Error implements ErrorDetails {
  readonly kind!: ErrorDetails['kind']
  readonly code!: string | number
  readonly msg!: string
  readonly behaviour!: ErrorBehaviour
  readonly status?: number
  readonly requestId?: string
  readonly fields?: FieldError[]
  readonly serverMsg?: string
  readonly data?: unknown
  readonly retry?: boolean
  usedToken?: string

  constructor(details: ErrorDetails) {
    super(details.msg)
    this.name = 'ApiError'
    Object.assign(this, details)
  }

  /** The most specific message: of the invalid field, else of the server, else of the table of spec §8. */
  get detail(): string {
    return this.fields?.[0]?.msg ?? this.serverMsg ?? this.msg
  }
}

const shown = new WeakSet<object>()

export const markShown = (error: ApiError) => void shown.add(error)

/** Whether the error was already shown (toast or dialog), so that a screen does not repeat it. */
export const isShown = (error: unknown): boolean => typeof error === 'object' && error !== null && shown.has(error)
