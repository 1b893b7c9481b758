import { View } from '@tarojs/components'
import type { ReactNode } from 'react'
import { cx } from '../cx'
import { Icon } from '../Icon/Icon'
import type { IconName } from '../Icon/names'
import { Pressable } from '../Pressable/Pressable'
import './Button.scss'

export interface ButtonProps {
  children: ReactNode
  href?: string
  onClick?: () => void
  /** `celebrate`: only for the human service */
  kind?: 'primary' | 'secondary' | 'ghost' | 'danger' | 'celebrate'
  size?: 'l' | 'm' | 's'
  block?: boolean
  /** busy: keeps its width and ignores taps */
  loading?: boolean
  disabled?: boolean
  icon?: IconName
  label?: string
  className?: string
}

/** A button; its text is a verb. One `primary` per screen. */
export function Button(p: ButtonProps) {
  const { kind = 'primary', size = 'm', loading = false, disabled = false } = p
  return (
    <Pressable
      className={cx(
        'ui-btn',
        `ui-btn--${kind}`,
        `ui-btn--${size}`,
        p.block && 'ui-btn--block',
        disabled && 'ui-btn--off',
        p.className,
      )}
      disabled={disabled || loading}
      href={p.href}
      onClick={p.onClick}
      label={p.label}
    >
      {loading ? (
        <View className='ui-btn__spin' />
      ) : p.icon ? (
        <Icon name={p.icon} size='s' className='ui-btn__icon' />
      ) : null}
      <View className='ui-btn__text'>{p.children}</View>
    </Pressable>
  )
}
