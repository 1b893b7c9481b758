import { View } from '@tarojs/components'
import type { ComponentProps, ReactNode } from 'react'
import { a11y } from '../a11y'
import { cx } from '../cx'
import './Tap.scss'

type Role = 'button' | 'link' | 'tab' | 'radio' | 'checkbox' | 'option' | 'switch'

export interface TapProps {
  onClick?: (() => void) | undefined
  role?: Role
  /** needed when there is no text inside */
  label?: string | undefined
  disabled?: boolean | undefined
  checked?: boolean | undefined
  selected?: boolean | undefined
  expanded?: boolean | undefined
  current?: boolean | undefined
  className?: string | undefined
  id?: string | undefined
  style?: ComponentProps<typeof View>['style']
  children?: ReactNode
}

interface TapEvent {
  stopPropagation(): void
}

interface Key {
  key?: string
  preventDefault(): void
}

/**
 * The one thing that can be tapped: answers at once to the finger, is reachable by keyboard on h5 and has a role.
 * A disabled one stays readable and takes no taps. A tap ends here: a button inside a tappable card is not both.
 */
export function Tap({ onClick, role = 'button', disabled, className, children, id, style, ...state }: TapProps) {
  const act = disabled ? undefined : onClick
  const onKeyDown = (e: Key) => {
    if (e.key !== 'Enter' && e.key !== ' ') return
    e.preventDefault()
    act?.()
  }
  return (
    <View
      {...(id ? { id } : {})}
      {...(style ? { style } : {})}
      className={cx('ui-tap', disabled && 'ui-tap--off', className)}
      hoverClass={disabled ? 'none' : 'ui-tap--on'}
      hoverStartTime={10}
      hoverStayTime={80}
      {...a11y(role, { ...state, disabled })}
      {...{ tabindex: disabled ? '-1' : '0', onKeyDown }}
      onClick={(e: TapEvent) => {
        e.stopPropagation()
        act?.()
      }}
    >
      {children}
    </View>
  )
}
