import { createIntersectionObserver, getCurrentInstance, nextTick } from '@tarojs/taro'
import type { OnBelowFoldVisible, OnNearlyVisible } from './port'

/** px at the bottom of the screen covered by the tab bar */
const HIDDEN = 80

/** Content that is not scrolled to is not transferred to the view layer, which keeps the start fast. */
export const onBelowFoldVisible: OnBelowFoldVisible = (id, then) => {
  const { page } = getCurrentInstance()
  let stop: () => void = () => undefined
  let over = false
  const end = () => {
    over = true
    stop()
  }
  // the element exists only after the rendered data has been transferred
  nextTick(() => {
    if (over || !page) return
    const watch = createIntersectionObserver(page)
    stop = () => watch.disconnect()
    watch
      .relativeToViewport({ top: 0, right: 0, bottom: -HIDDEN, left: 0 })
      .observe(`#${id}`, ({ intersectionRatio = 0 }) => {
        if (over || intersectionRatio <= 0) return
        end()
        then()
      })
  })
  return end
}

/** All of what lies below is drawn only when it is scrolled to, which is near enough. */
export const onNearlyVisible: OnNearlyVisible = (_id, then) => {
  then()
  return () => undefined
}
