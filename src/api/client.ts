import { NETWORK_TIMEOUT } from '@/contract/constants'
import type { ErrorCode } from '@/contract/errors'
import { type AbortableSignal, createAbortableSignal } from '@/lib/abortableSignal'
import {
  NetFailure,
  type NetworkCode,
  networkCode,
  type Running,
  type TransportResponse,
} from '@/platform/transport/port'
import { classify } from './classify'
import { createDeduplication } from './deduplicate'
import type { ApiDeps } from './deps'
import { ApiError, isShown, markShown } from './error'
import type { PreparedRequest } from './prepareRequest'
import { signedHeaders } from './signedHeaders'

export interface CallOptions {
  /**
   * The screen shows the failure itself (at the field, in the list's error state): no toast and no retry overlay.
   * `true` for all but the relogin dialog, or only for the codes listed, of a body or of a network failure. `always`
   * suppresses that dialog too: for what a public page shows in addition to a user who is logged in.
   */
  quiet?: boolean | 'always' | readonly (ErrorCode | NetworkCode)[]
  /** Aborts the request; the rejection has kind `abort` and is not shown. */
  signal?: AbortableSignal
}

interface Context {
  readonly prepared: PreparedRequest
  readonly requestSignal: AbortableSignal
}
type Send = (c: Context) => Promise<TransportResponse>

/** below this difference a 460 is not caused by the clock */
const MIN_CLOCK_SKEW_MS = 60_000

const isAbort = () => new NetFailure(networkCode.aborted)

function abortError(): ApiError {
  return classify(isAbort()) ?? new ApiError({ kind: 'abort', code: networkCode.aborted, msg: '', behaviour: 'toast' })
}

/** Runs an abortable operation and aborts it with `requestSignal`. */
async function runWithSignal<T>(requestSignal: AbortableSignal, start: () => Running<T>): Promise<T> {
  if (requestSignal.aborted) throw isAbort()
  const running = start()
  const off = requestSignal.onAbort(() => running.abort())
  try {
    return await running.done
  } finally {
    off()
  }
}

/**
 * Signs and sends; on 460 with a `date` far from the time that was signed, corrects the offset and retries once. Calls
 * that left together are refused together: each compares with the offset it was signed with, which the response to another
 * may have corrected meanwhile.
 */
function signedSend(deps: ApiDeps): Send {
  let offsetMs = 0
  const once = async ({ prepared, requestSignal }: Context) => {
    const response = await runWithSignal(requestSignal, () =>
      deps.transport.request({
        method: prepared.method,
        url: deps.base + prepared.path,
        headers: signedHeaders(prepared, deps, offsetMs),
        body: prepared.body,
        timeoutMs: NETWORK_TIMEOUT,
      }),
    )
    deps.onServerTime?.(Date.parse(response.headers.date ?? ''))
    return response
  }
  return async (c) => {
    const signedWithMs = offsetMs
    const first = await once(c)
    const serverMs = first.status === 460 ? Date.parse(first.headers.date ?? '') : Number.NaN
    const correctedMs = serverMs - deps.now()
    if (!(Math.abs(correctedMs - signedWithMs) > MIN_CLOCK_SKEW_MS)) return first
    offsetMs = correctedMs
    return once(c)
  }
}

/** Unwraps the response's `data`, or throws ApiError. */
const toData =
  (send: Send, deps: ApiDeps) =>
  async (c: Context): Promise<unknown> => {
    const usedToken = deps.credentials().token
    const outcome = await send(c).catch((e: unknown) => {
      if (e instanceof NetFailure) return e
      throw e
    })
    const error = classify(outcome)
    if (error) {
      error.usedToken = usedToken
      throw error
    }
    return outcome instanceof NetFailure ? undefined : (outcome.data as { data: unknown }).data
  }

const isSilent = (quiet: CallOptions['quiet']): quiet is true | 'always' => quiet === true || quiet === 'always'

/** After a time-out or network failure the user can tap to retry; the caller just gets its response later. */
async function retriedOnTap(run: (again: boolean) => Promise<unknown>, options: CallOptions, deps: ApiDeps) {
  const { signal } = options
  for (let again = false; ; ) {
    try {
      return await run(again)
    } catch (e) {
      const offersRetry =
        e instanceof ApiError && e.retry === true && !isHandledByCaller(e, options) && !signal?.aborted
      if (!offersRetry) throw e
      const { answer, close } = deps.promptRetry(e.msg)
      const off = signal?.onAbort(close)
      again = await answer
      off?.()
      // the retry overlay has shown the error
      markShown(e)
      if (!again) throw e
    }
  }
}

function isHandledByCaller({ code, behaviour }: ApiError, { quiet }: CallOptions) {
  if (behaviour === 'relogin') return quiet === 'always'
  return !!quiet && (isSilent(quiet) || quiet.some((own) => own === code))
}

/** Middlewares of a call, outermost first: show error once, retry, deduplicate, classify, sign. */
export function createClient(deps: ApiDeps) {
  const handle = toData(signedSend(deps), deps)
  const sharing = createDeduplication(deps.now)

  function withErrorDisplay<T>(result: Promise<T>, options: CallOptions): Promise<T> {
    return result.catch((e: unknown) => {
      if (e instanceof ApiError && e.kind !== 'abort' && !isShown(e) && !isHandledByCaller(e, options))
        deps.showError(e)
      throw e
    })
  }

  return {
    call(prepared: PreparedRequest, changesState: boolean, options: CallOptions = {}): Promise<unknown> {
      const start = (requestSignal: AbortableSignal) => handle({ prepared, requestSignal })
      const run = (again: boolean) => {
        const { token = '', userId = '' } = deps.credentials()
        // results are never shared between users or tokens
        const key = [prepared.method, prepared.path, prepared.body ?? '', userId, token].join('\n')
        return sharing.run({
          key,
          changesState,
          // a retry by tap must not get the deduplicated failure
          sharesFailure: !changesState && !again,
          signal: options.signal,
          start,
          left: abortError,
        })
      }
      return withErrorDisplay(retriedOnTap(run, options, deps), options)
    },
    /** Upload and download: same time-out and error table, but responses without envelope. */
    transfer<T extends { status: number }>(start: () => Running<T>, options: CallOptions = {}): Promise<T> {
      const work = async () => {
        const outcome = await runWithSignal(options.signal ?? createAbortableSignal(), start).catch((e: unknown) => {
          if (e instanceof NetFailure) return e
          throw e
        })
        if (!(outcome instanceof NetFailure) && outcome.status >= 200 && outcome.status < 300) return outcome
        const response = outcome instanceof NetFailure ? outcome : { headers: {}, data: undefined, ...outcome }
        throw classify(response) ?? abortError()
      }
      return withErrorDisplay(work(), options)
    },
  }
}
