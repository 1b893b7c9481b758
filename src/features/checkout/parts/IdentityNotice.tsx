import { currentUrl, nav } from '@/router/nav'
import { Notice } from '@/ui/Notice/Notice'
import { copy } from '../copy'
import type { IdentityRefusal } from '../usePayment'

/** Who pays is not known yet or too young (product 2.10); both ways the order stays. */
export function IdentityNotice({ code }: { code: IdentityRefusal }) {
  if (code === 'MINOR_NOT_ALLOWED') return <Notice tone='bad' text={copy.minor} />
  const onClick = () => void nav.to('mineRealName', { redirect: currentUrl() })
  return <Notice tone='warn' text={copy.realName} action={{ text: copy.realNameGo, onClick }} />
}
