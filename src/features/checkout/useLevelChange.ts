import { api } from '@/api'
import { useAction } from '@/api/useAction'
import type { ManualLevel } from '@/contract/labels'
import type { Order } from '@/contract/types'

/** Changes the service of an unpaid order; its answers and pictures stay. `onDone`: the quote has changed. */
export function useLevelChange({ gameId, orderId }: Order, onDone: () => void) {
  const { busy, failure, run } = useAction()
  const pick = (level: ManualLevel) =>
    void run(async () => {
      const { schemaVersion } = await api.evaluation.gameConfig({ gameId, mode: 'MANUAL' }, { quiet: true })
      await api.evaluation.submitManual({ gameId, schemaVersion, answers: {}, level, orderId }, { quiet: true })
      onDone()
    })
  return { pick, busy, failure }
}
