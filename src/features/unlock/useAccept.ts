import { useState } from 'react'
import { ApiError, api } from '@/api'
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
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)

  async function help() {
    if (busy) return
    setBusy(true)
    setError(undefined)
    try {
      const record = await api.evaluation.unlockHelp({ recordId, client: deviceClientId() }, { quiet: true })
      const left = record.status === 'DONE' ? 0 : record.need - record.got
      setAfter({ record, outcome: { kind: 'thanks', text: copy.thanks, note: copy.thanksNote(left) } })
    } catch (e) {
      if (!(e instanceof ApiError)) throw e
      // a refusal by a rule is final; a network failure is not
      if (e.status === 200) setAfter({ outcome: refusalOutcome(e) })
      else setError(e.msg)
    } finally {
      setBusy(false)
    }
  }
  return { load, after, error, busy, help: () => void help() }
}
