import { View } from '@tarojs/components'
import { type ReactNode, useState } from 'react'
import { type TextSize, textSizeClass } from '@/lib/textSize'
import { a11y } from '../a11y'
import { cx } from '../cx'
import { NavBar, type NavBarProps } from '../NavBar/NavBar'
import { SheetParent } from '../Sheet/SheetParent'
import './Page.scss'

interface Props extends Partial<Omit<NavBarProps, 'frame'>> {
  frame: NavBarProps['frame']
  children: ReactNode
  /** ui/TabBar, on the three tab pages */
  tabBar?: ReactNode
  /** the user's text-size setting: 1, 1.15, 1.3 and 2; by default the document's */
  textSize?: TextSize
  /** the user's setting 减少动画; by default the system's */
  reduceMotion?: boolean
  /** without the title bar */
  bare?: boolean
  /** as wide as two columns of a phone if the window has room for them */
  wide?: boolean | undefined
}

/**
 * The frame of every page: bar on top, content that scrolls with the page, sticky bars at the bottom. Above 960 px it
 * is a centred column of 375 design pixels.
 */
export function Page({ frame, children, tabBar, textSize, reduceMotion, bare, wide, ...nav }: Props) {
  const [sheets, setSheets] = useState<Element | null>(null)
  return (
    <View
      className={cx(
        'ui-page',
        wide && 'ui-page--wide',
        // a tab page looks like the other tabs
        wide && !tabBar && 'ui-page--columns',
        textSize && textSizeClass[textSize],
        reduceMotion && 'ui-reduced-motion',
      )}
    >
      {bare ? nav.under : <NavBar {...nav} title={nav.title ?? ''} frame={frame} />}
      <SheetParent.Provider value={sheets}>
        <View className='ui-page__body' {...a11y('main')}>
          {children}
        </View>
      </SheetParent.Provider>
      {tabBar}
      <View ref={setSheets} />
    </View>
  )
}
