import { View } from '@tarojs/components'
import type { ReactNode } from 'react'
import { a11y } from '../a11y'
import { cx } from '../cx'
import './Card.scss'

interface Props {
  title?: ReactNode
  /** right of the title: a link or a tag */
  extra?: ReactNode
  children?: ReactNode
  /** without padding, for lists of cells */
  flush?: boolean
  className?: string
}

/** A surface for one subject, with the page's side margins of 16 px. */
export function Card({ title, extra, children, flush, className }: Props) {
  return (
    <View className={cx('ui-card', flush && 'ui-card--flush', className)}>
      {title || extra ? (
        <View className='ui-card__head'>
          <View className='ui-card__title' {...(title && a11y('heading'))}>
            {title}
          </View>
          {extra ? <View className='ui-card__extra'>{extra}</View> : null}
        </View>
      ) : null}
      {children}
    </View>
  )
}
