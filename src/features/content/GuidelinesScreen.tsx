import { useCall } from '@/api/useCall'
import { nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { ActionBar } from '@/ui/ActionBar/ActionBar'
import { LoadBoundary } from '@/ui/LoadBoundary/LoadBoundary'
import { SkeletonCard } from '@/ui/Skeleton/Skeleton'
import { ArticleContent } from './ArticleScreen'
import { copy, related } from './copy'
import { Marketplaces } from './parts/Marketplaces'

/** Guidelines for selling an account safely. */
export function GuidelinesScreen({ params: { gameId, reportNo } }: ScreenProps<'listingGuidelines'>) {
  const load = useCall('app', 'documentGet', { key: 'LISTING' })
  return (
    <>
      <LoadBoundary load={load} skeleton={<SkeletonCard lines={8} />}>
        {(doc) => (
          <ArticleContent doc={doc} keys={related.LISTING}>
            <Marketplaces gameId={gameId} reportNo={reportNo} />
          </ArticleContent>
        )}
      </LoadBoundary>
      <ActionBar primary={{ text: copy.valueMine, onClick: () => void nav.tab('evaluation') }} />
    </>
  )
}
