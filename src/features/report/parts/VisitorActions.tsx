import { buildUrl } from '@/router/params'
import { ActionBar } from '@/ui/ActionBar/ActionBar'
import { copy } from '../copy'

/** On another user's report: links to valuing one's own account. */
export function VisitorActions() {
  return (
    <ActionBar
      primary={{ text: copy.valueMine, href: buildUrl('evaluationChooseGame') }}
      secondary={{ text: copy.home, href: buildUrl('home') }}
    />
  )
}
