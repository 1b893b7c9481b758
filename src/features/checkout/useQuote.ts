import { useMemo, useRef, useState } from 'react'
import { ApiError, api } from '@/api'
import { useAction } from '@/api/useAction'
import { useLoad } from '@/api/useLoad'
import type { Order, PreOrder } from '@/contract/types'
import type { AbortableSignal } from '@/lib/abortableSignal'
import { toDeviceTime } from '@/lib/clock'
import { usePageSignal } from '@/router/pageContext'
import { useDidReturn } from '@/router/useDidReturn'

/** All amounts come from the server; the client calculates nothing. */
function fetchQuote({ orderId, mode }: Order, couponId: string | undefined, signal: AbortableSignal) {
  const call = mode === 'AI' ? api.pay.createAiPre : api.pay.createPre
  return call({ orderId, couponId, claim: true }, { quiet: true, signal })
}

/**
 * Price of the order, with its coupon or else the best, also of those to be claimed. Choosing another (empty: none) requests a new
 * quote; the previous amounts stay until it arrives, or if it fails. A coupon that can no longer be used
 * is replaced by the best one with a notice. Reloaded when the page is shown again: there may be a new coupon.
 */
export function useQuote(order: Order) {
  const signal = usePageSignal()
  const wanted = useRef(order.couponId)
  const [chosen, setChosen] = useState<{ after: PreOrder | undefined; quote: PreOrder }>()
  const { busy: choosing, failure, setFailure, run } = useAction()
  const load = useLoad(`pre:${order.orderId}`, async (loadSignal) => {
    try {
      return await fetchQuote(order, wanted.current, loadSignal)
    } catch (e) {
      if (!(e instanceof ApiError) || e.code !== 'COUPON_NOT_USABLE' || wanted.current === undefined) throw e
      wanted.current = undefined
      setFailure(e.detail)
      return fetchQuote(order, undefined, loadSignal)
    }
  })
  useDidReturn(() => void load.reload())
  const quote = chosen && chosen.after === load.data ? chosen.quote : load.data

  const choose = (next: string) =>
    run(
      async () => {
        const after = load.data
        setChosen({ after, quote: await fetchQuote(order, next, signal) })
        wanted.current = next
      },
      (e) => (e.kind === 'abort' ? undefined : e.detail),
    )
  const until = useMemo(() => quote && toDeviceTime(quote.payExpireAt, quote.now), [quote])
  return { load: { ...load, data: quote }, until, choose, choosing, failure }
}
