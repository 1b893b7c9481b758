import { api } from '@/api'
import { useAction } from '@/api/useAction'
import type { manualLevelText } from '@/contract/labels'
import type { Order } from '@/contract/types'

export type ServiceLevel = keyof typeof manualLevelText

/** Changes the service level of an unpaid order and keeps its answers. `onDone`: the price has changed. */
export function useServiceLevel({ gameId, orderId }: Order, onDone: () => void) {
  const { busy, failure, run } = useAction()
  const pick = (level: ServiceLevel) =>
    run(async () => {
      const { schemaVersion } = await api.evaluation.gameConfig({ gameId, mode: 'MANUAL' }, { quiet: true })
      await api.evaluation.submitManual({ gameId, schemaVersion, answers: {}, level, orderId }, { quiet: true })
      onDone()
    })
  return { pick, busy, failure }
}
