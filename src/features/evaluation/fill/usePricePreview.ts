import { useEffect, useRef, useState } from 'react'
import { ApiError, api } from '@/api'
import { DEFAULT_DEBOUNCE } from '@/contract/constants'
import type { Answers, FormConfig } from '@/contract/form/types'
import type { Res } from '@/contract/types'
import { usePageSignal } from '@/router/pageContext'

export type PreviewRange = Res<'pricePreview', 'preview'>

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
  const body = answers && JSON.stringify(answers)

  useEffect(() => {
    newest.current += 1
    const turn = newest.current
    if (body === undefined) return setRange(undefined)
    const request = async () => {
      try {
        const req = { gameId, schemaVersion, answers: JSON.parse(body) as Answers }
        const found = await api.pricePreview.preview(req, { quiet: true, signal })
        if (turn === newest.current) setRange(found)
      } catch (e) {
        if (!(e instanceof ApiError)) throw e
        // the range of earlier answers is not that of these
        if (turn === newest.current) setRange(undefined)
      }
    }
    const timer = setTimeout(request, delay)
    return () => {
      newest.current += 1
      clearTimeout(timer)
    }
  }, [body, gameId, schemaVersion, delay, signal])
  return range
}
