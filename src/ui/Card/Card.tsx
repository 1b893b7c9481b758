import { View } from '@tarojs/components'
import type { ReactNode } from 'react'
import { cx } from '../cx'
import { Pressable } from '../Pressable/Pressable'
import './Card.scss'

interface Props {
  title?: ReactNode
  /** right of the title: a link or a tag */
  extra?: ReactNode
  children?: ReactNode
  onClick?: () => void
  /** without padding, for lists of cells */
  flush?: boolean
  className?: string
}

/** A surface for one subject, with the page's side margins of 16 px. */
export function Card({ title, extra, children, onClick, flush, className }: Props) {
  const names = cx('ui-card', flush && 'ui-card--flush', className)
  const inside = (
    <>
      {title || extra ? (
        <View className='ui-card__head'>
          <View className='ui-card__title'>{title}</View>
          {extra ? <View className='ui-card__extra'>{extra}</View> : null}
        </View>
      ) : null}
      {children}
    </>
  )
  if (!onClick) return <View className={names}>{inside}</View>
  return (
    <Pressable className={names} onClick={onClick}>
      {inside}
    </Pressable>
  )
}
