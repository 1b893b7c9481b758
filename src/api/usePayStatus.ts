import { APP_VERSION } from '@/contract/constants'
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

/** `open-pay-status`, asked once for all screens of a journey; after a failure the next screen asks again. */
export function payStatus(platform: string): Promise<OpenPayStatus> {
  const now = Date.now()
  if (kept && kept.api === api.app && kept.platform === platform && kept.until > now) return kept.answer
  const answer = api.app.openPayStatus({ platform, version: APP_VERSION }, { quiet: true })
  const mine = { api: api.app, platform, until: now + KEEP, answer }
  kept = mine
  answer.catch(() => {
    if (kept === mine) kept = undefined
  })
  return answer
}

/**
 * What may be bought where the app runs (`open-pay-status`, product 4.1). `prices`: browsers always show them, app
 * shells only when the server allows it; until it has answered nothing is for sale.
 */
export function usePayStatus(platform: string) {
  const { data, loading } = useLoad('status', () => payStatus(platform))
  const open = data !== undefined && data.pay !== 'OFF'
  return {
    status: data,
    /** the answer, good or bad, is in */
    known: data !== undefined || !loading,
    open,
    virtual: data?.pay === 'VIRTUAL',
    prices: platform === 'h5' || open,
    manual: data?.manual === true,
  }
}
