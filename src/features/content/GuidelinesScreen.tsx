import { useCall } from '@/api/useCall'
import { nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { ActionBar } from '@/ui/ActionBar/ActionBar'
import { Loaded } from '@/ui/Loaded/Loaded'
import { SkeletonCard } from '@/ui/Skeleton/Skeleton'
import { ArticleContent } from './ArticleScreen'
import { copy, related } from './copy'
import { SalesChannels } from './parts/SalesChannels'

/** Guidelines for selling an account safely. */
export function GuidelinesScreen({ params: { gameId, reportNo } }: ScreenProps<'listingGuidelines'>) {
  const load = useCall('app', 'documentGet', { key: 'LISTING' })
  return (
    <>
      <Loaded load={load} skeleton={<SkeletonCard lines={8} />}>
        {(doc) => (
          <ArticleContent doc={doc} keys={related.LISTING}>
            <SalesChannels gameId={gameId} reportNo={reportNo} />
          </ArticleContent>
        )}
      </Loaded>
      <ActionBar primary={{ text: copy.valueMine, onClick: () => void nav.tab('evaluation', { mode: 'AI' }) }} />
    </>
  )
}
