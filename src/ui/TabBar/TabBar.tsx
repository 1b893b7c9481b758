import { View } from '@tarojs/components'
import { a11y } from '../a11y'
import { cx } from '../cx'
import { Icon } from '../Icon/Icon'
import { Pressable } from '../Pressable/Pressable'
import './TabBar.scss'

/** The three tabs in their order (spec §2). */
const tabItems = [
  { text: '首页', icon: 'home', on: 'home-fill' },
  { text: '估价', icon: 'chart', on: 'chart-fill' },
  { text: '我的', icon: 'user', on: 'user-fill' },
] as const

export type TabIndex = 0 | 1 | 2

interface Props {
  selected: TabIndex
  onSelect?: (index: TabIndex) => void
  /** URLs of the tabs, for the server's rendering without tap handlers */
  hrefs?: readonly string[]
  /** px, height of the home indicator in the mini-program; on h5 the styles handle it */
  bottom?: number
}

/** 50 px above the safe area. The selected tab is filled, blue and bold. */
export function TabBar({ selected, onSelect, hrefs, bottom = 0 }: Props) {
  return (
    <View className='ui-tabs' {...a11y('navigation', { label: '主导航' })}>
      <View className='ui-tabs__row'>
        {tabItems.map(({ text, icon, on }, i) => {
          const index = i as TabIndex
          const isSelected = index === selected
          return (
            <Pressable
              key={text}
              role='link'
              current={isSelected}
              className={cx('ui-tabs__tab', isSelected && 'ui-tabs__tab--on')}
              href={hrefs?.[index]}
              onClick={onSelect && (() => onSelect(index))}
            >
              <Icon name={isSelected ? on : icon} size='l' />
              <View className='ui-tabs__text'>{text}</View>
            </Pressable>
          )
        })}
      </View>
      {bottom > 0 ? <View style={{ height: `${bottom}px` }} /> : <View className='ui-tabs__safe' />}
    </View>
  )
}
