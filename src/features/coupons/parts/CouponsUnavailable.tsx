import { nav } from '@/router/nav'
import { Empty } from '@/ui/Empty/Empty'
import { copy } from '../copy'

/** Coupons are hidden where prices are hidden. */
export function CouponsUnavailable() {
  const action = { text: copy.goAi, onClick: () => void nav.tab('evaluation') }
  return <Empty art='box' text={copy.offTitle} note={copy.offNote} action={action} />
}
