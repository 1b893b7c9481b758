import { View } from '@tarojs/components'
import type { ReactNode } from 'react'
import type { Load } from '@/api/useLoad'
import { pastDayText } from '@/contract/timeText'
import type { ArticleCard, Page } from '@/contract/types'
import { serverTime } from '@/lib/clock'
import { nav } from '@/router/nav'
import type { RouteName } from '@/router/routes'
import { Card } from '@/ui/Card/Card'
import { Icon } from '@/ui/Icon/Icon'
import { Picture } from '@/ui/Picture/Picture'
import { Pressable } from '@/ui/Pressable/Pressable'
import { SkeletonRows } from '@/ui/Skeleton/Skeleton'
import { copy } from '../copy'
import { BlockError } from './BlockError'
import './News.scss'

interface BlockProps<T> {
  title: string
  more: RouteName
  load: Load<Page<T>>
  row: (item: T) => ReactNode
}

/** First items of a list with a link to all; hidden when empty, with its own error state. */
export function Block<T>({ title, more, load: { data, error, loading, reload }, row }: BlockProps<T>) {
  if (!data && loading) return <SkeletonRows rows={3} />
  if (data?.list.length === 0 || error?.code === 'NOT_OPEN_YET') return null
  return (
    <Card
      title={title}
      extra={
        <Pressable
          className='ui-card__link'
          onClick={() => void nav.to(more)}
          role='link'
          label={`${copy.more}${title}`}
        >
          {copy.more}
          <Icon name='chevron-right' size='s' />
        </Pressable>
      }
    >
      {data ? data.list.map(row) : <BlockError reason={error?.msg ?? ''} onRetry={() => void reload()} />}
    </Card>
  )
}

export function NewsLine({ article }: { article: ArticleCard }) {
  const { id, title, cover, publishAt } = article
  return (
    <Pressable className='home-news' role='link' onClick={() => void nav.to('newsDetail', { id })}>
      <View className='home-news__body'>
        <View className='home-news__title'>{title}</View>
        <View className='home-news__meta'>{pastDayText(publishAt, serverTime())}</View>
      </View>
      <Picture alt='' className='home-news__cover' src={cover} mode='aspectFill' lazyLoad />
    </Pressable>
  )
}

/** Links to other pages; `coupons`: only where payments are enabled. */
export function Links({ coupons }: { coupons: boolean }) {
  const links = copy.links.filter(({ to }) => coupons || to !== 'couponCenter')
  return (
    <View className='home-links'>
      {links.map(({ icon, text, to }) => (
        <Pressable key={to} className='home-link' role='link' onClick={() => void nav.to(to)}>
          <Icon name={icon} size='l' />
          <View className='home-link__text'>{text}</View>
        </Pressable>
      ))}
    </View>
  )
}
