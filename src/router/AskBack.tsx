import { useDidHide, useDidShow } from '@tarojs/taro'
import { useEffect, useState } from 'react'
import { Cover } from '@/platform/cover'
import { askBeforeBack, nav } from './nav'

/** While it is on show, the way back (bar, browser, edge swipe, hardware key) asks first. `ask`: whether to go. */
export function AskBack({ ask }: { ask: () => Promise<boolean> }) {
  const [visible, setVisible] = useState(true)
  const [tries, setTries] = useState(0)
  useDidShow(() => setVisible(true))
  useDidHide(() => setVisible(false))
  useEffect(() => (visible ? askBeforeBack(ask) : undefined), [visible, ask])
  function onBack(byUser: boolean) {
    if (!byUser) return
    // that step is used up: another lies there for the next time, and is taken off with the page
    setTries(tries + 1)
    void nav.back()
  }
  return <Cover key={tries} open={visible} onBack={onBack} />
}
