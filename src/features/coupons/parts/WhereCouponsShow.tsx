import type { ReactNode } from 'react'
import { usePayStatus } from '@/api/usePayStatus'
import { isForSale } from '@/contract/sale'
import { nav } from '@/router/nav'
import { appState } from '@/session/store'
import { Empty } from '@/ui/Empty/Empty'
import { LoadBoundary } from '@/ui/LoadBoundary/LoadBoundary'
import { SkeletonRows } from '@/ui/Skeleton/Skeleton'
import { copy } from '../copy'

export function CouponsUnavailable() {
  const action = { text: copy.goAi, onClick: () => void nav.tab('evaluation') }
  return <Empty art='box' text={copy.offTitle} note={copy.offNote} action={action} />
}

/** Coupons are hidden where prices are hidden. */
export function WhereCouponsShow({ children }: { children: ReactNode }) {
  const { load } = usePayStatus(appState().platform)
  return (
    <LoadBoundary load={load} skeleton={<SkeletonRows />}>
      {(status) => (isForSale(status) ? children : <CouponsUnavailable />)}
    </LoadBoundary>
  )
}
