import { codes, codeText, type ErrorCode } from '@/contract/errors'

interface Detail {
  /** replaces the code's own sentence */
  msg?: string
  /** fills the `{n}` places of the sentence */
  vars?: Record<string, string | number>
  data?: unknown
  /** s after which the same may succeed, for `Retry-After` */
  retryAfter?: number
}

/** A call is refused for a reason of the catalogue: thrown anywhere, answered in one place. */
export class AppError extends Error {
  override name = 'AppError'
  readonly http: number
  readonly data: unknown
  readonly retryAfter: number | undefined

  constructor(
    readonly code: ErrorCode,
    { msg, vars, data = null, retryAfter }: Detail = {},
  ) {
    super(msg ?? codeText(code, vars))
    this.http = codes[code].http
    this.data = data
    this.retryAfter = retryAfter
  }
}

/** A field breaks its rule: HTTP 400, `path` as the client's form knows it. */
export const invalid = (fields: { path: string; msg: string }[]) =>
  new AppError('VALIDATION_FAILED', { data: { fields } })

/**
 * A field of a JSON body that must be text where no schema has read it; '' when it is missing.
 * `String(value)` would throw for `{ "toString": 1 }`.
 * @throws AppError VALIDATION_FAILED
 */
export function textField(path: string, value: unknown): string {
  if (value === undefined) return ''
  if (typeof value !== 'string') throw invalid([{ path, msg: '应为文本' }])
  return value
}
