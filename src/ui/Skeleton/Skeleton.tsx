import { View } from '@tarojs/components'
import type { ReactNode } from 'react'
import { a11y } from '../a11y'
import { Card } from '../Card/Card'
import { cx } from '../cx'
import './Skeleton.scss'

interface BoneProps {
  /** width in percent; all of it when left out, 44 px for a tile */
  w?: 30 | 40 | 60 | 80
  /** a line of text, a title, a tile, a price, a button */
  kind?: 'line' | 'title' | 'tile' | 'price' | 'block'
}

/** A grey placeholder shape. */
export function SkeletonBlock({ w, kind = 'line' }: BoneProps) {
  return <View className={cx('ui-bone', `ui-bone--${kind}`, w && `ui-bone--w${w}`)} />
}

/** Wraps shapes; announced to screen readers once, as loading. */
export function Skeleton({ children }: { children: ReactNode }) {
  return (
    <View className='ui-skeleton' {...a11y('status', { label: '加载中' })}>
      {children}
    </View>
  )
}

/** Rows with a tile, as in lists. */
export function SkeletonRows({ rows = 4 }: { rows?: number }) {
  return (
    <Skeleton>
      <Card>
        {Array.from({ length: rows }, (_, i) => `row${i}`).map((key) => (
          <View key={key} className='ui-skeleton__row'>
            <SkeletonBlock kind='tile' />
            <View className='ui-skeleton__lines'>
              <SkeletonBlock w={60} />
              <SkeletonBlock w={40} />
            </View>
          </View>
        ))}
      </Card>
    </Skeleton>
  )
}

/** A title and lines of text. */
export function SkeletonCard({ lines = 3 }: { lines?: number }) {
  return (
    <Card>
      <SkeletonBlock kind='title' w={40} />
      {Array.from({ length: lines }, (_, i) => `line${i}`).map((key, i) => (
        <SkeletonBlock key={key} {...(i === lines - 1 && { w: 60 })} />
      ))}
    </Card>
  )
}
