import { usePayStatus } from '@/api/usePayStatus'
import { nav } from '@/router/nav'
import { appState } from '@/session/store'
import { ActionBar } from '@/ui/ActionBar/ActionBar'
import { Empty } from '@/ui/Empty/Empty'
import { copy } from '../copy'

/** Not enough data for a price: says so, and offers a manual valuation where available. */
export function NoPrice({ gameId }: { gameId: string | undefined }) {
  const { manual } = usePayStatus(appState().platform)
  const other = { text: copy.otherGame, onClick: () => void nav.redirect('evaluationChooseGame') }
  const person = {
    text: copy.toManual,
    kind: 'celebrate' as const,
    onClick: () => void nav.redirect('evaluationFillInInfo', { gameId, mode: 'MANUAL' }),
  }
  return (
    <>
      <Empty art='report' text={copy.insufficient} note={copy.insufficientNote} />
      {manual ? <ActionBar primary={person} secondary={other} /> : <ActionBar primary={other} />}
    </>
  )
}
