import { View } from '@tarojs/components'
import type { ReactNode } from 'react'
import type { FrameSize } from '@/platform/device/port'
import { a11y } from '../a11y'
import { Icon } from '../Icon/Icon'
import { Pressable } from '../Pressable/Pressable'
import './NavBar.scss'

export interface NavBarProps {
  title: ReactNode
  /** Real CSS pixels of this device, not design pixels: they come from the host and are set inline. */
  frame: FrameSize
  onBack?: (() => void) | undefined
  /** URL of the home tab if there is no page to go back to, e.g. after opening a share */
  home?: string | undefined
  /** stays visible with the bar, e.g. a notice about a missing network */
  under?: ReactNode
}

/** Minimum height and side padding that avoid the mini-program's capsule; on h5 the styles' 44 px apply. */
function layoutOf({ statusBar, capsule }: FrameSize) {
  if (!capsule) return { bar: {}, side: {} }
  const height = capsule.height + 2 * Math.max(0, capsule.top - statusBar)
  return { bar: { minHeight: `${height}px` }, side: { width: `${capsule.fromRight}px` } }
}

/** The page's own title bar: 44 px under the status bar. */
export function NavBar({ title, frame, onBack, home, under }: NavBarProps) {
  const { bar, side } = layoutOf(frame)
  return (
    <View className='ui-nav'>
      {frame.statusBar > 0 ? <View style={{ height: `${frame.statusBar}px` }} /> : <View className='ui-nav__safe' />}
      <View className='ui-nav__bar' style={bar}>
        <View className='ui-nav__side' style={side}>
          {onBack || home ? (
            <Pressable className='ui-nav__btn' label={onBack ? '返回' : '回首页'} href={home} onClick={onBack}>
              <Icon name={onBack ? 'back' : 'home'} size={onBack ? 'm' : 'l'} />
            </Pressable>
          ) : null}
        </View>
        <View className='ui-nav__title' {...a11y('heading', { level: 1 })}>
          {title}
        </View>
        <View className='ui-nav__side' style={side} />
      </View>
      {under}
    </View>
  )
}
