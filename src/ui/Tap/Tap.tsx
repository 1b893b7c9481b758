import { View } from '@tarojs/components'
import type { ComponentProps, ReactNode } from 'react'
import { a11y, onKeys } from '../a11y'
import { cx } from '../cx'
import './Tap.scss'

type Role = 'button' | 'link' | 'tab' | 'radio' | 'checkbox' | 'option' | 'switch'

export interface TapProps {
  /** an address of the app: a tap leads there, unless `onClick` does something else */
  href?: string | undefined
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

interface Lead {
  /** where taps are heard */
  follow?(href: string): void
  /** where nobody hears them: what makes the element a link */
  link?(href: string): object
}
let lead: Lead = {}
/** What becomes of an `href`. */
export const setLinkHandler = (how: Lead) => {
  lead = how
}

/**
 * The one thing that can be tapped: answers at once to the finger, is reachable by keyboard on h5 and has a role.
 * A disabled one stays readable and takes no taps. A tap ends here: a button inside a tappable card is not both.
 */
export function Tap({ href, onClick, role, disabled, className, children, id, style, ...state }: TapProps) {
  const act = () => {
    if (disabled) return
    if (onClick) onClick()
    else if (href) lead.follow?.(href)
  }
  return (
    <View
      {...(id ? { id } : {})}
      {...(style ? { style } : {})}
      className={cx('ui-tap', disabled && 'ui-tap--off', className)}
      hoverClass={disabled ? 'none' : 'ui-tap--on'}
      hoverStartTime={10}
      hoverStayTime={80}
      {...a11y(role ?? (href ? 'link' : 'button'), { ...state, disabled })}
      {...(href && !disabled && lead.link?.(href))}
      {...{ tabindex: disabled ? '-1' : '0', ...onKeys(act) }}
      onClick={(e: TapEvent) => {
        e.stopPropagation()
        act()
      }}
    >
      {children}
    </View>
  )
}
