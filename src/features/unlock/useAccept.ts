import { useState } from 'react'
import { type ApiError, api } from '@/api'
import { useAction } from '@/api/useAction'
import { useCall } from '@/api/useCall'
import type { UnlockHelp } from '@/contract/types'
import { deviceClientId } from '@/session/client'
import { copy } from './copy'

/** Outcome of helping, or why it is impossible. `kind` selects the picture and the next step. */
export interface HelpOutcome {
  kind: 'thanks' | 'no' | 'own' | 'elsewhere'
  text: string
  note: string
}

const refusals: Partial<Record<string, HelpOutcome>> = {
  HELP_SELF: { kind: 'own', text: copy.own, note: copy.ownNote },
  HELP_DUPLICATE: { kind: 'no', text: copy.again, note: copy.againNote },
  HELP_LIMIT: { kind: 'no', text: copy.limit, note: copy.limitNote },
  HELP_EXPIRED: { kind: 'no', text: copy.over, note: copy.overNote },
  HELP_DONE: { kind: 'no', text: copy.already, note: copy.alreadyNote },
}

function refusalOutcome(e: ApiError): HelpOutcome {
  if (e.code === 'NOT_OPEN_YET') return { kind: 'elsewhere', text: copy.elsewhere, note: e.msg }
  if (e.code === 'HELP_RISK') return { kind: 'no', text: copy.risk, note: e.msg }
  return refusals[String(e.code)] ?? { kind: 'no', text: e.msg, note: '' }
}

/** State of the invitation before a tap. */
export function helpOutcome({ status, helped, ownOrderId }: UnlockHelp): HelpOutcome | undefined {
  if (ownOrderId) return refusals.HELP_SELF
  if (helped) return refusals.HELP_DUPLICATE
  if (status === 'ONGOING') return undefined
  return status === 'DONE' ? refusals.HELP_DONE : refusals.HELP_EXPIRED
}

export function useAccept(recordId: string) {
  const load = useCall('evaluation', 'unlockHelpList', { recordId })
  const [after, setAfter] = useState<{ outcome: HelpOutcome; record?: UnlockHelp }>()
  const { busy, failure, run } = useAction()

  async function help() {
    const record = await api.evaluation.unlockHelp({ recordId, client: deviceClientId() }, { quiet: true })
    const left = record.status === 'DONE' ? 0 : record.need - record.got
    setAfter({ record, outcome: { kind: 'thanks', text: copy.thanks, note: copy.thanksNote(left) } })
  }
  function refused(e: ApiError): string | undefined {
    // a refusal by a rule is final; a network failure is not
    if (e.status !== 200) return e.msg
    setAfter({ outcome: refusalOutcome(e) })
    return undefined
  }
  return { load, after, error: failure, busy, help: () => void run(help, refused) }
}
