import { useCall } from '@/api/useCall'
import { usePolling } from '@/api/usePolling'
import type { Order } from '@/contract/types'
import { nav } from '@/router/nav'

/** ms between two polls while a valuation is running */
const POLL_INTERVAL_MS = 2000

export type OrderStage = 'reading' | 'running' | 'ready' | 'insufficient' | 'failed' | 'ended'

/** Stage of an AI order for the progress page. */
export function stageOf({ status, actions }: Pick<Order, 'status' | 'actions'>): OrderStage {
  if (actions.includes('VIEW')) return 'ready'
  return stages[status] ?? 'ended'
}

const stages: { readonly [S in Order['status']]?: OrderStage } = {
  WAIT_AUTH: 'reading',
  PROCESSING: 'running',
  INSUFFICIENT: 'insufficient',
  FAILED: 'failed',
}

/** Stages that change without user action. */
export const isUnderWay = (stage: OrderStage) => stage === 'reading' || stage === 'running'

/** An order, polled while it is running and the page is visible. */
export function useOrderProgress(orderId: string) {
  const load = useCall('pay', 'getInfo', { orderId })
  const running = load.data !== undefined && isUnderWay(stageOf(load.data))
  return { load, visible: usePolling(load, running, POLL_INTERVAL_MS) }
}

/** Resumes the collection an order waits for; undefined if there is none. */
export function resumeCollection({ actions, gameId, orderId }: Order): (() => void) | undefined {
  if (!actions.includes('RETRY_AUTH')) return undefined
  return () => void nav.to('evaluationFillInInfoRpaWebview', { gameId, orderId })
}
