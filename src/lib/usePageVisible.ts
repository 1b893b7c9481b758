import { useDidHide, useDidShow } from '@tarojs/taro'
import { useState } from 'react'

/** Whether the page is on show; false below another page and, in the mini-program, in the background. */
export function usePageVisible(): boolean {
  const [visible, setVisible] = useState(true)
  useDidShow(() => setVisible(true))
  useDidHide(() => setVisible(false))
  return visible
}
