import { RichText, View } from '@tarojs/components'
import { useCall } from '@/api/useCall'
import { pastDayText } from '@/contract/timeText'
import type { Article } from '@/contract/types'
import { serverTime } from '@/lib/clock'
import { clipboard } from '@/platform/clipboard'
import { imagePreview } from '@/platform/imagePreview'
import { meta } from '@/platform/meta'
import { nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { usePageMeta } from '@/router/pageContext'
import { buildUrl } from '@/router/params'
import { a11y } from '@/ui/a11y'
import { Button } from '@/ui/Button/Button'
import { Card } from '@/ui/Card/Card'
import { Empty } from '@/ui/Empty/Empty'
import { LoadBoundary } from '@/ui/LoadBoundary/LoadBoundary'
import { Picture } from '@/ui/Picture/Picture'
import { Pressable } from '@/ui/Pressable/Pressable'
import { SkeletonCard } from '@/ui/Skeleton/Skeleton'
import { copy } from './copy'
import { picturesOf } from './model'
import { NewsRow } from './NewsScreen'
import './ArticleScreen.scss'
import './news.scss'

/** The article; its pictures open in the viewer, starting with the cover. */
export function NewsContent({ article }: { article: Article }) {
  const { id, title, cover, html, publishAt, views, related = [] } = article
  return (
    <>
      <Card className='doc'>
        <View className='doc-title' {...a11y('heading')}>
          {title}
        </View>
        <View className='doc-meta'>{copy.newsMeta(pastDayText(publishAt, serverTime()), views)}</View>
        <Pressable label={copy.enlarge} onClick={() => imagePreview.open([cover, ...picturesOf(html)], cover)}>
          <Picture alt='' className='news-cover' src={cover} mode='aspectFill' />
        </Pressable>
        <RichText className='doc-body' nodes={html} userSelect />
        <Button
          kind='secondary'
          icon='share'
          block
          onClick={() => void clipboard.copy(meta.address(buildUrl('newsDetail', { id })))}
        >
          {copy.copyLink}
        </Button>
      </Card>
      {related.length > 0 ? (
        <Card title={copy.alsoRead} flush>
          {related.map((news) => (
            <NewsRow key={news.id} article={news} onOpen={() => void nav.redirect('newsDetail', { id: news.id })} />
          ))}
        </Card>
      ) : null}
      <View className='ui-end' />
    </>
  )
}

const Missing = () => (
  <Empty art='report' text={copy.missingNews} action={{ text: copy.allNews, onClick: () => void nav.to('news') }} />
)

function Loading({ id }: { id: string }) {
  const load = useCall('app', 'informationDetail', { id })
  const { title, summary, cover } = load.data ?? {}
  usePageMeta(title === undefined ? undefined : { title, description: summary, image: cover })
  if (!load.data && load.error?.status === 404) return <Missing />
  return (
    <LoadBoundary load={load} skeleton={<SkeletonCard lines={8} />}>
      {(article) => <NewsContent article={article} />}
    </LoadBoundary>
  )
}

/** One article. */
export function NewsDetailScreen({ params: { id } }: ScreenProps<'newsDetail'>) {
  if (id) return <Loading id={id} />
  return <Missing />
}
