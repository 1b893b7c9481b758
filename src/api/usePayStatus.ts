import { APP_VERSION } from '@/contract/constants'
import { isForSale } from '@/contract/sale'
import type { OpenPayStatus } from '@/contract/types'
import { api, embeddedResponse } from '.'
import { type Load, useLoad } from './useLoad'

/** how long a response is cached; a change by the operator takes effect afterwards */
const CACHE_MS = 5 * 60_000

interface CachedStatus {
  api: object
  platform: string
  until: number
  response: Promise<OpenPayStatus>
  data?: OpenPayStatus
}
let kept: CachedStatus | undefined

let statusListener: (response: OpenPayStatus) => void = () => undefined
/** Registers a listener for received responses. */
export const onPayStatus = (listener: typeof statusListener) => {
  statusListener = listener
}

const reqOf = (platform: string) => ({ platform, version: APP_VERSION })

function fresh(platform: string): CachedStatus | undefined {
  const good = kept && kept.api === api.app && kept.platform === platform && kept.until > Date.now()
  return good ? kept : undefined
}

function keep(platform: string, response: Promise<OpenPayStatus>, data?: OpenPayStatus): CachedStatus {
  const mine: CachedStatus = { api: api.app, platform, until: Date.now() + CACHE_MS, response, data }
  kept = mine
  response.then(
    (answer) => {
      mine.data = answer
      statusListener(answer)
    },
    () => {
      if (kept === mine) kept = undefined
    },
  )
  return mine
}

/** `open-pay-status`, requested once for all screens; after a failure the next screen tries again. */
const payStatus = (platform: string): Promise<OpenPayStatus> =>
  (fresh(platform) ?? keep(platform, api.app.openPayStatus(reqOf(platform), { quiet: true }))).response

/** The cached or embedded response. */
function cached(platform: string): OpenPayStatus | undefined {
  const known = fresh(platform)
  if (known) return known.data
  const data = embeddedResponse('app', 'openPayStatus', reqOf(platform))
  return data && keep(platform, Promise.resolve(data), data).data
}

export const usePayStatusLoad = (platform: string): Load<OpenPayStatus> =>
  useLoad(
    'status',
    () => payStatus(platform),
    () => cached(platform),
  )

/**
 * Services for sale in this environment (`open-pay-status`). Unless the server enables payments
 * (`paymentsEnabled`), no screen shows a price, a coupon or payment wording.
 */
export function usePayStatus(platform: string) {
  const load = usePayStatusLoad(platform)
  const { data, loading } = load
  return {
    /** state of the request, for screens that must know the response: a failure says nothing about what is for sale */
    load,
    status: data,
    /** the request has succeeded or failed */
    loaded: data !== undefined || !loading,
    paymentsEnabled: isForSale(data),
    virtual: data?.pay === 'VIRTUAL',
    manual: data?.manual === true,
    freePerDay: data?.freePerDay,
    manualFromFen: data?.manualFromFen,
  }
}
