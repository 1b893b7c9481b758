import { httpErrors, reloginCodes, tooBusyError, unknownHttpError } from '@/contract/errors'
import { networkErrors, networkReasons } from '@/contract/networkErrors'
import { NetFailure, networkCode, type TransportResponse } from '@/platform/transport/port'
import { ApiError, type FieldError } from './error'

interface Body {
  success: boolean
  msg: string
  code: string | number
  data: unknown
}

const isObject = (v: unknown): v is Record<string, unknown> => typeof v === 'object' && v !== null

/** Envelope of a response; undefined for a response of a proxy or another server. */
function bodyOf(data: unknown): Body | undefined {
  if (!isObject(data) || typeof data.success !== 'boolean') return undefined
  const { success, msg, code } = data
  return {
    success,
    msg: typeof msg === 'string' ? msg : '',
    code: typeof code === 'string' || typeof code === 'number' ? code : '',
    data: data.data,
  }
}

function fieldsOf(data: unknown): FieldError[] | undefined {
  if (!isObject(data) || !Array.isArray(data.fields)) return undefined
  return data.fields.filter(
    (f): f is FieldError => isObject(f) && typeof f.path === 'string' && typeof f.msg === 'string',
  )
}

function requestIdOf(r: TransportResponse, body: Body | undefined): string | undefined {
  const inBody = isObject(body?.data) ? body.data.requestId : undefined
  return typeof inBody === 'string' ? inBody : r.headers['x-request-id']
}

const rowOf = (status: number) =>
  status in httpErrors ? httpErrors[status as keyof typeof httpErrors] : unknownHttpError

function failureOf(f: NetFailure): ApiError {
  const { code } = f
  if (code === networkCode.aborted)
    return new ApiError({ kind: 'abort', code, msg: networkErrors[code].text, behaviour: 'toast' })
  const why = f.reason && networkReasons[f.reason]
  // for transfers the table has a more specific message than "server unreachable"
  const cause = code === networkCode.transfer && f.reason === 'unreachable' ? undefined : why
  const retry = code === networkCode.failure && why?.retry !== false
  return new ApiError({ kind: 'network', code, msg: (cause ?? networkErrors[code]).text, behaviour: 'toast', retry })
}

function httpError(r: TransportResponse, body: Body | undefined): ApiError {
  const row = rowOf(r.status)
  const requestId = requestIdOf(r, body)
  const withId = row.behaviour === 'requestId' && requestId
  return new ApiError({
    kind: 'http',
    code: body?.code || r.status,
    msg: withId ? `${row.text}（请求编号 ${requestId}）` : row.text,
    behaviour: row.behaviour,
    status: r.status,
    requestId,
    fields: fieldsOf(body?.data),
    serverMsg: body?.msg || undefined,
    data: body?.data,
  })
}

/** Maps an outcome to an ApiError by the tables of spec §8; undefined for success. Pure. */
export function classify(outcome: TransportResponse | NetFailure): ApiError | undefined {
  if (outcome instanceof NetFailure) return failureOf(outcome)
  const body = bodyOf(outcome.data)
  const { status } = outcome
  const good = status >= 200 && status < 300
  if (good && body?.success) return undefined
  const code = body?.code ?? ''
  if (status === 401 || reloginCodes.includes(code)) {
    const { text, behaviour } = httpErrors[401]
    return new ApiError({ kind: 'http', code: code || status, msg: text, behaviour, status, data: body?.data })
  }
  if (code === tooBusyError.code) {
    const { text, behaviour } = tooBusyError
    return new ApiError({ kind: 'http', code, msg: text, behaviour, status, data: body?.data })
  }
  if (!good || !body) return httpError(outcome, body)
  return new ApiError({
    kind: 'business',
    code,
    msg: body.msg || unknownHttpError.text,
    behaviour: 'toast',
    status,
    requestId: outcome.headers['x-request-id'],
    data: body.data,
  })
}
