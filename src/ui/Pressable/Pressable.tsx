import { View } from '@tarojs/components'
import type { ReactNode } from 'react'
import { a11y, onKeys } from '../a11y'
import { cx } from '../cx'
import './Pressable.scss'

type Role = 'button' | 'link' | 'tab' | 'radio' | 'checkbox' | 'option' | 'switch'

export interface PressableProps {
  /** a URL of the app to which a tap navigates, unless `onClick` does something else */
  href?: string | undefined
  onClick?: (() => void) | undefined
  role?: Role
  /** required if there is no text inside */
  label?: string | undefined
  disabled?: boolean | undefined
  checked?: boolean | undefined
  selected?: boolean | undefined
  expanded?: boolean | undefined
  current?: boolean | undefined
  className?: string | undefined
  /** handlers of a long press (usePress) */
  touch?: object | undefined
  children?: ReactNode
}

interface PressEvent {
  stopPropagation(): void
}

interface LinkHandler {
  /** with event handlers: navigates */
  follow?(href: string): void
  /** without event handlers (server rendering): the attributes that make the element a link */
  link?(href: string): object
}
let linkHandler: LinkHandler = {}
/** Sets how `href` is handled. */
export const setLinkHandler = (handler: LinkHandler) => {
  linkHandler = handler
}

/**
 * The only tappable element: gives immediate feedback, is focusable on h5 and has a role. A disabled one stays readable
 * and ignores taps. Taps do not bubble, so a button in a tappable card does not trigger both.
 */
export function Pressable({ href, onClick, role, disabled, className, children, touch, ...state }: PressableProps) {
  const act = () => {
    if (disabled) return
    if (onClick) onClick()
    else if (href) linkHandler.follow?.(href)
  }
  return (
    <View
      {...touch}
      className={cx('ui-pressable', disabled && 'ui-pressable--off', className)}
      hoverClass={disabled ? 'none' : 'ui-pressable--on'}
      hoverStartTime={10}
      hoverStayTime={80}
      {...a11y(role ?? (href ? 'link' : 'button'), { ...state, disabled })}
      {...(href && !disabled && linkHandler.link?.(href))}
      {...{ tabindex: disabled ? '-1' : '0', ...onKeys(act) }}
      onClick={(e: PressEvent) => {
        e.stopPropagation()
        act()
      }}
    >
      {children}
    </View>
  )
}
