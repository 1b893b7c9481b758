import { currentUrl, nav } from '@/router/nav'
import { Notice } from '@/ui/Notice/Notice'
import { copy } from '../copy'
import type { IdentityError } from '../usePayment'

/** The payer is not verified or a minor; in both cases the order is kept. */
export function IdentityNotice({ code }: { code: IdentityError }) {
  if (code === 'MINOR_NOT_ALLOWED') return <Notice tone='bad' text={copy.minor} />
  const onClick = () => void nav.to('mineRealName', { redirect: currentUrl() })
  return <Notice tone='warn' text={copy.realName} action={{ text: copy.realNameGo, onClick }} />
}
