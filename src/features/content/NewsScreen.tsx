import { View } from '@tarojs/components'
import { useState } from 'react'
import { api } from '@/api'
import { usePages } from '@/api/usePages'
import { articleTypeText, keysOf } from '@/contract/labels'
import { pastDayText } from '@/contract/timeText'
import type { ArticleCard } from '@/contract/types'
import { serverTime } from '@/lib/clock'
import { nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { usePageSignal } from '@/router/pageContext'
import { Chips, optionsOf } from '@/ui/Chip/Chips'
import { Empty } from '@/ui/Empty/Empty'
import { List } from '@/ui/List/List'
import { Picture } from '@/ui/Picture/Picture'
import { Pressable } from '@/ui/Pressable/Pressable'
import { copy } from './copy'
import { MarketTab } from './MarketTab'
import './news.scss'

const types = keysOf(articleTypeText)

/** One article of a list; the picture's space is reserved, so that nothing shifts when it loads. */
export function NewsRow({ article, onOpen }: { article: ArticleCard; onOpen: () => void }) {
  const { title, cover, publishAt, views } = article
  return (
    <Pressable className='news-row' role='link' onClick={onOpen}>
      <Picture alt='' className='news-row__cover' src={cover} mode='aspectFill' lazyLoad />
      <View className='news-row__body'>
        <View className='news-row__title'>{title}</View>
        <View className='news-row__meta'>{copy.newsMeta(pastDayText(publishAt, serverTime()), views)}</View>
      </View>
    </Pressable>
  )
}

type Tab = (typeof types)[number] | 'MARKET'
const tabs = optionsOf({ ...articleTypeText, MARKET: copy.market.tab })

/** Everything to read, by kind, and the market. */
export function NewsScreen({ params }: ScreenProps<'news'>) {
  const [tab, setTab] = useState<Tab>(
    params.tab === 'market' ? 'MARKET' : (types.find((type) => type === params.type) ?? 'NEWS'),
  )
  return (
    <>
      <Chips page role='tab' label={copy.newsTypes} options={tabs} isOn={(option) => option === tab} onPick={setTab} />
      {tab === 'MARKET' ? <MarketTab gameId={params.gameId} /> : <Articles key={tab} type={tab} />}
    </>
  )
}

function Articles({ type }: { type: (typeof types)[number] }) {
  const { list } = usePages({
    key: `news:${type}`,
    fetchPage: (pageNo, signal) => api.app.informationPage({ type, pageNo, pageSize: 10 }, { quiet: true, signal }),
    idOf: ({ id }: ArticleCard) => id,
    signal: usePageSignal(),
  })
  return (
    <List {...list} empty={<Empty text={copy.noNews} />}>
      {(article) => <NewsRow article={article} onOpen={() => void nav.to('newsDetail', { id: article.id })} />}
    </List>
  )
}
