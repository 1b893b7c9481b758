import { View } from '@tarojs/components'
import type { ReactNode } from 'react'
import { cx } from '../cx'
import { Icon } from '../Icon/Icon'
import { Pressable } from '../Pressable/Pressable'
import './Chip.scss'

interface Props {
  children: ReactNode
  selected?: boolean
  onClick?: () => void
  disabled?: boolean
  /** role for screen readers: one of several, or any of several */
  role?: 'radio' | 'checkbox' | 'button' | 'tab'
  /** shows a cross for removing the choice */
  removable?: boolean
  label?: string
}

/** A short option. Selection is shown by fill, border and tick, not by colour alone. */
export function Chip({ children, selected = false, onClick, disabled, role = 'button', removable, label }: Props) {
  const state = role === 'tab' ? { selected } : role === 'button' ? {} : { checked: selected }
  return (
    <Pressable
      role={role}
      {...state}
      className={cx('ui-chip', selected && 'ui-chip--on', disabled && 'ui-chip--off')}
      onClick={onClick}
      disabled={disabled}
      label={label}
    >
      <View className='ui-chip__text'>{children}</View>
      {selected && !removable && role !== 'tab' ? (
        <View className='ui-chip__tick'>
          <Icon name='check' size='s' />
        </View>
      ) : null}
      {removable ? <Icon name='close' size='s' className='ui-chip__cross' /> : null}
    </Pressable>
  )
}
