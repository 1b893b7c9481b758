import { useDidHide, useDidShow } from '@tarojs/taro'
import { useRef } from 'react'

/** Runs `back` each time the page is shown again, but not when it is first opened. */
export function useDidReturn(back: () => void) {
  const hidden = useRef(false)
  const newest = useRef(back)
  newest.current = back
  useDidHide(() => {
    hidden.current = true
  })
  useDidShow(() => {
    if (hidden.current) newest.current()
    hidden.current = false
  })
}
