import { useEffect, useRef, useState } from 'react'
import { ApiError, api } from '@/api'
import { DEFAULT_DEBOUNCE } from '@/contract/constants'
import type { ErrorCode } from '@/contract/errors'
import type { Answers, FormConfig, Mode } from '@/contract/form/types'
import type { PrefilledForm, Res } from '@/contract/types'
import { usePageSignal } from '@/router/pageContext'
import { isLoggedIn } from '@/session/store'
import { previewAnswers } from './model'

export type PreviewRange = Res<'pricePreview', 'preview'>

/** ms until the last answers are sent again after the server's limit of requests a minute */
const BUSY_RETRY_MS = 5000

/** Errors after which this form gets no range at all. */
const final: readonly ErrorCode[] = ['FREE_QUOTA_USED', 'GAME_OFFLINE', 'SAMPLE_INSUFFICIENT', 'NOT_LOGGED_IN']

/** Whether the range is offered: logged in, a free valuation left today. */
const isOffered = ({ freeLeft }: PrefilledForm, mode: Mode) => mode === 'AI' && isLoggedIn() && freeLeft !== 0

/**
 * The price range of the answers so far, some 500 ms after the last change; undefined until a price-relevant field is
 * answered, and where it is not offered. A late response never replaces a newer one.
 */
export function usePricePreview(config: PrefilledForm, mode: Mode, answers: Answers): PreviewRange | undefined {
  const signal = usePageSignal()
  const [range, setRange] = useState<PreviewRange>()
  const newest = useRef(0)
  const [ended, setEnded] = useState(false)
  const offered = isOffered(config, mode) && !ended
  const sent = offered ? previewAnswers(config, answers) : undefined
  const body = sent && JSON.stringify(sent)

  useEffect(() => {
    newest.current += 1
    const turn = newest.current
    if (body === undefined) return setRange(undefined)
    let timer: ReturnType<typeof setTimeout>
    const request = async () => {
      try {
        const found = await preview(config, JSON.parse(body) as Answers, signal)
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
    timer = setTimeout(request, DEFAULT_DEBOUNCE)
    return () => {
      newest.current += 1
      clearTimeout(timer)
    }
  }, [body, config, signal])
  return offered ? range : undefined
}

const preview = ({ gameId, schemaVersion }: FormConfig, answers: Answers, signal: ReturnType<typeof usePageSignal>) =>
  api.pricePreview.preview({ gameId, schemaVersion, answers }, { quiet: true, signal })
