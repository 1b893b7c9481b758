import { usePayStatus } from '@/api/usePayStatus'
import type { Order } from '@/contract/types'
import { nav } from '@/router/nav'
import { openFormWithAnswers } from '@/router/openFormWithAnswers'
import { appState } from '@/session/store'
import { ActionBar } from '@/ui/ActionBar/ActionBar'
import { Empty } from '@/ui/Empty/Empty'
import { copy } from '../copy'
import { type OrderStage, resumeCollection } from '../useOrder'
import { OrderIdentity } from './OrderIdentity'

/** Next actions: manual valuation if available, otherwise another game; failed valuations can be retried. */
function useNextActions(order: Order, stage: OrderStage) {
  const { manual } = usePayStatus(appState().platform)
  const other = { text: copy.otherGame, onClick: () => void nav.redirect('evaluationChooseGame') }
  const anew = { text: copy.refill, onClick: () => void openFormWithAnswers(order, 'redirect') }
  const home = { text: copy.home, onClick: () => void nav.home() }
  const again = stage === 'failed' ? resumeCollection(order) : undefined
  if (again) return { primary: { text: copy.readAgain, onClick: again }, secondary: anew }
  if (stage !== 'insufficient') return { primary: anew, secondary: home }
  if (!manual) return { primary: other, secondary: home }
  const person = {
    text: copy.toManual,
    kind: 'celebrate' as const,
    onClick: () => void openFormWithAnswers({ ...order, mode: 'MANUAL' }, 'redirect'),
  }
  return { primary: person, secondary: other }
}

const endings = {
  insufficient: { title: copy.insufficientTitle, note: copy.insufficientNote },
  failed: { title: copy.failedTitle, note: copy.failedNote },
}

/** No price could be determined: reason and next actions. */
export function NoPrice({ order, stage }: { order: Order; stage: OrderStage }) {
  const { title, note } =
    stage === 'insufficient' || stage === 'failed'
      ? endings[stage]
      : { title: order.statusText, note: order.cancelReason ?? copy.endedNote }
  return (
    <>
      <Empty art='report' text={title} note={note} />
      <OrderIdentity order={order} />
      <ActionBar {...useNextActions(order, stage)} />
    </>
  )
}
