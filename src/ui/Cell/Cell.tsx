import { Cell as NutCell } from '@nutui/nutui-react-taro'
import { View } from '@tarojs/components'
import type { ReactNode } from 'react'
import { cx } from '../cx'
import { Icon } from '../Icon/Icon'
import type { IconName } from '../Icon/names'
import { Tap } from '../Tap/Tap'
import './Cell.scss'

interface Props {
  title: ReactNode
  /** second line */
  note?: ReactNode
  /** at the right end */
  value?: ReactNode
  icon?: IconName
  /** in place of the icon: a picture, a tile */
  lead?: ReactNode
  onClick?: () => void
  /** what a tap does when it leads nowhere, in place of the arrow */
  end?: IconName
  /** a destructive row */
  danger?: boolean
  label?: string
}

/** One row of a list; with `onClick` it leads somewhere and shows an arrow. */
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
    <Tap className={names} onClick={onClick} label={label}>
      {inside}
    </Tap>
  )
}
