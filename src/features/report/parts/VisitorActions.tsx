import { buildUrl } from '@/router/params'
import { ActionBar } from '@/ui/ActionBar/ActionBar'
import { copy } from '../copy'

/** Somebody else's report: the way to an own one. */
export function VisitorActions() {
  return (
    <ActionBar
      primary={{ text: copy.valueMine, href: buildUrl('evaluationChooseGame') }}
      secondary={{ text: copy.home, href: buildUrl('home') }}
    />
  )
}
