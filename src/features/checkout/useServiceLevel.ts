import { useEffect } from 'react'
import { api } from '@/api'
import { useAction } from '@/api/useAction'
import type { manualLevelText } from '@/contract/labels'
import type { Order } from '@/contract/types'
import { usePersistedInput } from '@/session/usePersistedInput'

export type ServiceLevel = keyof typeof manualLevelText

/**
 * Changes the service level of an unpaid order and keeps its answers. `onDone`: the price has changed. The advised level is
 * chosen once for an order, when the checkout is first seen; `was`: the one before.
 */
export function useServiceLevel(
  { gameId, orderId, level = 'STD' }: Order,
  advised: ServiceLevel | undefined,
  onDone: () => void,
) {
  const { busy, failure, run } = useAction()
  const [{ was }, keep] = usePersistedInput(`level:${orderId}`, () => ({ was: undefined as ServiceLevel | undefined }))
  const pick = (level: ServiceLevel) =>
    run(async () => {
      const { schemaVersion } = await api.evaluation.gameConfig({ gameId, mode: 'MANUAL' }, { quiet: true })
      await api.evaluation.submitManual({ gameId, schemaVersion, answers: {}, level, orderId }, { quiet: true })
      onDone()
    })
  useEffect(() => {
    if (!advised || was || advised === level) return
    keep({ was: level })
    void pick(advised)
  })
  return { pick, busy, failure, was }
}
