import { useState } from 'react'
import { ApiError, api } from '@/api'
import type { manualLevelText } from '@/contract/labels'
import type { Order } from '@/contract/types'

export type ServiceLevel = keyof typeof manualLevelText

/** Changes the service level of an unpaid order and keeps its answers. `onDone`: the price has changed. */
export function useServiceLevel({ gameId, orderId }: Order, onDone: () => void) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  async function pick(level: ServiceLevel) {
    if (busy) return
    setBusy(true)
    setFailure(undefined)
    try {
      const { schemaVersion } = await api.evaluation.gameConfig({ gameId, mode: 'MANUAL' }, { quiet: true })
      await api.evaluation.submitManual({ gameId, schemaVersion, answers: {}, level, orderId }, { quiet: true })
      onDone()
    } catch (e) {
      if (!(e instanceof ApiError)) throw e
      setFailure(e.detail)
    } finally {
      setBusy(false)
    }
  }
  return { pick, busy, failure }
}
