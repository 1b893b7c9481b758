import { View } from '@tarojs/components'
import type { ReactNode } from 'react'
import { cx } from '../cx'
import { NavBar, type NavBarProps } from '../NavBar/NavBar'
import './Page.scss'

type TextSize = 'normal' | 'large' | 'huge'

interface Props extends Partial<Omit<NavBarProps, 'frame'>> {
  frame: NavBarProps['frame']
  children: ReactNode
  /** ui/TabBar, on the three tab pages */
  tabBar?: ReactNode
  /** own text-size setting: 1, 1.15 and 1.3 */
  textSize?: TextSize
  /** own setting 减少动画; the system's setting holds without it */
  calm?: boolean
  /** leaves the title bar out */
  bare?: boolean
}

const sizes = { normal: undefined, large: 'ui-text-l', huge: 'ui-text-xl' } as const

/**
 * The frame of every page: bar on top, content as the page's own scroll, sticky bars at the bottom.
 * Above 960 px it is a column of 375 design pixels in the middle.
 */
export function Page({ frame, children, tabBar, textSize = 'normal', calm, bare, ...nav }: Props) {
  return (
    <View className={cx('ui-page', sizes[textSize], calm && 'ui-calm')}>
      {bare ? null : <NavBar {...nav} title={nav.title ?? ''} frame={frame} />}
      <View className='ui-page__body'>{children}</View>
      {tabBar}
    </View>
  )
}
