import { Loading } from '@nutui/nutui-react-taro'
import { View } from '@tarojs/components'
import { Fragment, type ReactNode } from 'react'
import { a11y } from '../a11y'
import { Button } from '../Button/Button'
import { LoadBoundary, type LoadState } from '../LoadBoundary/LoadBoundary'
import { SkeletonRows } from '../Skeleton/Skeleton'
import './List.scss'

/** State shown under the last row. `none`: the list has no pages. */
export type PagingState = 'none' | 'idle' | 'loading' | 'error' | 'end'

interface Props<T> {
  load: LoadState<readonly T[]>
  keyOf: (item: T) => string
  children: (item: T) => ReactNode
  empty: ReactNode
  more?: PagingState
  onMore?: () => void
}

/** Every list has the same four states: loading, error, empty, content. */
export function List<T>({ load, keyOf, children, empty, more = 'none', onMore }: Props<T>) {
  return (
    <LoadBoundary load={load} skeleton={<SkeletonRows />}>
      {(items) =>
        items.length === 0 ? (
          empty
        ) : (
          <>
            {items.map((item) => (
              <Fragment key={keyOf(item)}>{children(item)}</Fragment>
            ))}
            <ListEnd more={more} onMore={onMore} />
          </>
        )
      }
    </LoadBoundary>
  )
}

function ListEnd({ more, onMore }: { more: PagingState; onMore: (() => void) | undefined }) {
  if (more === 'none') return null
  if (more === 'idle' || more === 'error') {
    return (
      <View className='ui-list__end'>
        <Button kind='ghost' onClick={() => onMore?.()}>
          {more === 'idle' ? '加载更多' : '加载失败，点击重试'}
        </Button>
      </View>
    )
  }
  return (
    <View className='ui-list__end' {...a11y('status')}>
      {more === 'loading' ? <Loading icon={<View className='ui-btn__spin' />}>加载中…</Loading> : '没有更多了'}
    </View>
  )
}
