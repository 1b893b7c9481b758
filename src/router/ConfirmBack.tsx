import { useDidHide, useDidShow } from '@tarojs/taro'
import { useEffect, useState } from 'react'
import { BackHandler } from '@/platform/backHandler'
import { confirmBeforeBack, nav } from './nav'

/** While mounted and visible, any back navigation (bar, browser, edge swipe, hardware key) calls `confirm` first. */
export function ConfirmBack({ confirm }: { confirm: () => Promise<boolean> }) {
  const [visible, setVisible] = useState(true)
  const [attempts, setAttempts] = useState(0)
  useDidShow(() => setVisible(true))
  useDidHide(() => setVisible(false))
  useEffect(() => (visible ? confirmBeforeBack(confirm) : undefined), [visible, confirm])
  function onBack(byUser: boolean) {
    if (!byUser) return
    // the history entry was consumed: a new one catches the next attempt and is removed with the page
    setAttempts(attempts + 1)
    void nav.back()
  }
  return <BackHandler key={attempts} open={visible} onBack={onBack} />
}
