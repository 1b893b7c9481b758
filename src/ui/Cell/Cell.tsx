import { Cell as NutCell } from '@nutui/nutui-react-taro'
import { View } from '@tarojs/components'
import type { ReactNode } from 'react'
import { cx } from '../cx'
import { Icon } from '../Icon/Icon'
import type { IconName } from '../Icon/names'
import { Pressable } from '../Pressable/Pressable'
import './Cell.scss'

interface Props {
  title: ReactNode
  /** second line */
  note?: ReactNode
  /** on the right */
  value?: ReactNode
  icon?: IconName
  /** instead of the icon: a picture, a tile */
  lead?: ReactNode
  onClick?: () => void
  /** icon of the action, instead of the arrow, if a tap does not navigate */
  end?: IconName
  /** a destructive row */
  danger?: boolean
  label?: string
}

/** A list row; with `onClick` it navigates and shows an arrow. */
export function Cell({ title, note, value, icon, lead, onClick, end = 'chevron-right', danger, label }: Props) {
  const names = cx('ui-cell', danger && 'ui-cell--danger')
  const inside = (
    <>
      {icon ? <Icon name={icon} className='ui-cell__icon' /> : null}
      {lead ? <View className='ui-cell__lead'>{lead}</View> : null}
      <NutCell title={title} description={note} extra={value === 0 ? '0' : value} radius={0} align='center' />
      {onClick ? <Icon name={end} size='s' className='ui-cell__arrow' /> : null}
    </>
  )
  if (!onClick) return <View className={names}>{inside}</View>
  return (
    <Pressable className={names} onClick={onClick} label={label}>
      {inside}
    </Pressable>
  )
}
