import { useMemo, useState } from 'react'
import { AppError, api } from '@/api'
import { useLoad } from '@/api/useLoad'
import type { Order, PreOrder } from '@/contract/types'
import type { Scope } from '@/lib/scope'
import { usePageScope } from '@/router/pageContext'

/** Every amount is the server's; this page adds and multiplies nothing. */
function ask({ orderId, mode }: Order, couponId: string | undefined, scope: Scope): Promise<PreOrder> {
  const call = mode === 'AI' ? api.pay.createAiPre : api.pay.createPre
  return call({ orderId, couponId }, { quiet: true, scope })
}

/**
 * What the order costs. `couponId`: undefined lets the server choose the best, empty is none. Another coupon asks anew;
 * until its answer is in, and when it is refused, the amounts before it stay.
 */
export function useQuote(order: Order, couponId: string | undefined) {
  const scope = usePageScope()
  const load = useLoad(`pre:${order.orderId}`, (life) => ask(order, couponId, life))
  const [chosen, setChosen] = useState<{ after: PreOrder | undefined; quote: PreOrder }>()
  const [choosing, setChoosing] = useState(false)
  const [failure, setFailure] = useState<AppError>()
  const quote = chosen && chosen.after === load.data ? chosen.quote : load.data

  async function choose(next: string) {
    if (choosing) return
    setChoosing(true)
    setFailure(undefined)
    try {
      const after = load.data
      setChosen({ after, quote: await ask(order, next, scope) })
    } catch (e) {
      if (!(e instanceof AppError)) throw e
      if (e.kind !== 'abort') setFailure(e)
    } finally {
      setChoosing(false)
    }
  }
  // by this device's clock, from the moment the answer came
  const until = useMemo(() => quote && Date.now() + quote.payExpireAt - (quote.now ?? Date.now()), [quote])
  return { load: { ...load, data: quote }, quote, until, choose, choosing, failure }
}
