import { useEffect, useRef, useState } from 'react'
import { ApiError, api } from '@/api'
import { DEFAULT_DEBOUNCE } from '@/contract/constants'
import type { ErrorCode } from '@/contract/errors'
import type { Answers, FormConfig } from '@/contract/form/types'
import type { Res } from '@/contract/types'
import { usePageSignal } from '@/router/pageContext'

export type PreviewRange = Res<'pricePreview', 'preview'>

/** ms until the last answers are sent again after the server's limit of requests a minute */
const BUSY_RETRY_MS = 5000

/** Errors after which this form gets no range at all. */
const final: readonly ErrorCode[] = ['FREE_QUOTA_USED', 'GAME_OFFLINE', 'SAMPLE_INSUFFICIENT', 'NOT_LOGGED_IN']

/**
 * The price range of the answers so far, `delay` ms after the last change; undefined without answers. A late response never
 * replaces a newer one.
 */
export function usePricePreview(
  { gameId, schemaVersion }: Pick<FormConfig, 'gameId' | 'schemaVersion'>,
  answers: Answers | undefined,
  delay = DEFAULT_DEBOUNCE,
): PreviewRange | undefined {
  const signal = usePageSignal()
  const [range, setRange] = useState<PreviewRange>()
  const newest = useRef(0)
  const [ended, setEnded] = useState(false)
  const body = ended ? undefined : answers && JSON.stringify(answers)

  useEffect(() => {
    newest.current += 1
    const turn = newest.current
    if (body === undefined) return setRange(undefined)
    let timer: ReturnType<typeof setTimeout>
    const request = async () => {
      try {
        const req = { gameId, schemaVersion, answers: JSON.parse(body) as Answers }
        const found = await api.pricePreview.preview(req, { quiet: true, signal })
        if (turn === newest.current) setRange(found)
      } catch (e) {
        if (!(e instanceof ApiError)) throw e
        if (turn !== newest.current) return
        if (e.code === 'REQUEST_TOO_BUSY_PLEASE_WAIT') {
          timer = setTimeout(request, BUSY_RETRY_MS)
          return
        }
        // the range of earlier answers is not that of these
        setRange(undefined)
        if (final.includes(e.code as ErrorCode)) setEnded(true)
      }
    }
    timer = setTimeout(request, delay)
    return () => {
      newest.current += 1
      clearTimeout(timer)
    }
  }, [body, gameId, schemaVersion, delay, signal])
  return ended ? undefined : range
}
