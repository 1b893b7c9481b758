import { APP_VERSION } from '@/contract/constants'
import { isForSale } from '@/contract/sale'
import type { OpenPayStatus } from '@/contract/types'
import { api } from '.'
import { useLoad } from './useLoad'

/** ms an answer serves every screen; the operator's switch is heard of after it */
const KEEP = 5 * 60_000

interface Kept {
  api: object
  platform: string
  until: number
  answer: Promise<OpenPayStatus>
}
let kept: Kept | undefined

let heard: (answer: OpenPayStatus) => void = () => undefined
/** Tells whoever keeps something of the answer beyond the journey. */
export const onPayStatus = (listener: typeof heard) => {
  heard = listener
}

/** `open-pay-status`, asked once for all screens of a journey; after a failure the next screen asks again. */
export function payStatus(platform: string): Promise<OpenPayStatus> {
  const now = Date.now()
  if (kept && kept.api === api.app && kept.platform === platform && kept.until > now) return kept.answer
  const answer = api.app.openPayStatus({ platform, version: APP_VERSION }, { quiet: true })
  const mine = { api: api.app, platform, until: now + KEEP, answer }
  kept = mine
  answer.then(heard, () => {
    if (kept === mine) kept = undefined
  })
  return answer
}

/**
 * What may be bought where the app runs (`open-pay-status`, product 4.1). Unless the server says that something is for
 * sale (`open`) no screen shows a price, a coupon or a word of paying.
 */
export function usePayStatus(platform: string) {
  const { data, loading } = useLoad('status', () => payStatus(platform))
  const open = isForSale(data)
  return {
    status: data,
    /** the answer, good or bad, is in */
    known: data !== undefined || !loading,
    open,
    virtual: data?.pay === 'VIRTUAL',
    manual: data?.manual === true,
    freePerDay: data?.freePerDay,
    manualFromFen: data?.manualFromFen,
  }
}
