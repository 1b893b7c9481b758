import { codes, codeText, type ErrorCode } from '@/contract/errors'

interface Detail {
  /** replaces the default message of the code */
  msg?: string
  /** values for the `{n}` placeholders of the message */
  vars?: Record<string, string | number>
  data?: unknown
  /** s after which a retry may succeed, for `Retry-After` */
  retryAfter?: number
}

/** A refusal with a code of the error catalogue: thrown anywhere, converted to a response in one place. */
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

  /** The most specific message: those of the invalid fields, else that of the code. */
  get detail(): string {
    const { fields } = (this.data ?? {}) as { fields?: { msg: string }[] }
    return fields?.map(({ msg }) => msg).join('；') ?? this.message
  }
}

/** A field violates its rule: HTTP 400; `path` is that of the client's form. */
export const invalid = (fields: { path: string; msg: string }[]) =>
  new AppError('VALIDATION_FAILED', { data: { fields } })

/** There is no such row, or it is another user's. */
export const orderNotFound = () => new AppError('NOT_FOUND', { msg: '没有找到这个订单' })
export const reportNotFound = () => new AppError('NOT_FOUND', { msg: '没有找到这份报告' })

/**
 * A text field of a JSON body that no schema has validated; '' if it is missing. `String(value)` would throw for `{
 * "toString": 1 }`.
 * @throws AppError VALIDATION_FAILED
 */
export function textField(path: string, value: unknown): string {
  if (value === undefined) return ''
  if (typeof value !== 'string') throw invalid([{ path, msg: '应为文本' }])
  return value
}
