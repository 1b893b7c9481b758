import { useAtomValue } from 'jotai'
import type { Report } from '@/contract/types'
import { appStateAtom, dispatch } from '@/session/store'
import { Notice } from '@/ui/Notice/Notice'
import { copy } from '../copy'

/** Hints for a user's first report, one after the other; a dismissed hint does not appear again (spec §3). */
export function FirstVisitTips({ report: { price, status } }: { report: Report }) {
  const { reportTipKeys } = useAtomValue(appStateAtom)
  const tips = [
    price.coverage === undefined ? undefined : { key: 'range', text: copy.tipRange },
    status === 'REVOKED' ? undefined : { key: 'share', text: copy.tipShare },
  ]
  const next = tips.find((tip) => tip && !reportTipKeys.includes(tip.key))
  if (!next) return null
  const close = () => dispatch({ type: 'reportTipSeen', key: next.key })
  return <Notice icon='help' text={next.text} action={{ text: copy.tipClose, onClick: close }} />
}
