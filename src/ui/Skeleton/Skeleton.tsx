import { View } from '@tarojs/components'
import type { ReactNode } from 'react'
import { a11y } from '../a11y'
import { Card } from '../Card/Card'
import './Skeleton.scss'

interface BoneProps {
  /** width by a class of the styles: `w-60` is 60 % */
  w?: 20 | 30 | 40 | 60 | 80 | 100
  /** a line of text, a title, a tile, a price, a button */
  kind?: 'line' | 'title' | 'tile' | 'price' | 'block'
}

/** A grey placeholder shape. */
export function SkeletonBlock({ w = 100, kind = 'line' }: BoneProps) {
  return <View className={`ui-bone ui-bone--${kind} ui-bone--w${w}`} />
}

/** Wraps shapes; announced to screen readers once, as loading. */
export function Skeleton({ children }: { children: ReactNode }) {
  return (
    <View className='ui-skeleton' {...a11y('status', { label: '加载中', live: 'polite' })}>
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
        <SkeletonBlock key={key} w={i === lines - 1 ? 60 : 100} />
      ))}
    </Card>
  )
}
