import { api } from '@/api'
import { useAction } from '@/api/useAction'
import type { ManualLevel } from '@/contract/labels'
import type { Order } from '@/contract/types'

/** Changes the service of an unpaid order, or adds pictures to it; its answers stay. `onDone`: the quote has changed. */
export function useOrderChange({ gameId, orderId, level: current = 'STD' }: Order, onDone: () => void) {
  const { busy, failure, setFailure, run } = useAction()
  const change = ({ level = current, images }: { level?: ManualLevel; images?: string[] }) =>
    run(async () => {
      const { schemaVersion } = await api.evaluation.gameConfig({ gameId, mode: 'MANUAL' }, { quiet: true })
      const form = { gameId, schemaVersion, answers: {}, level, orderId, ...(images && { images }) }
      await api.evaluation.submitManual(form, { quiet: true })
      onDone()
    })
  return { change, busy, failure, setFailure }
}
