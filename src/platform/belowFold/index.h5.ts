import type { OnBelowFoldVisible, OnNearlyVisible } from './port'

/** delay that lets the first screen render first */
const LATER = 100

export const onBelowFoldVisible: OnBelowFoldVisible = (_id, then) => {
  const timer = setTimeout(then, LATER)
  return () => clearTimeout(timer)
}

export const onNearlyVisible: OnNearlyVisible = (id, then) => {
  const element = document.getElementById(id)
  // iOS before 12.2 has no observer
  if (!element || !window.IntersectionObserver) {
    then()
    return () => undefined
  }
  const watch = new IntersectionObserver(
    ([entry]) => {
      if (!entry?.isIntersecting) return
      watch.disconnect()
      then()
    },
    // Taro's page is the element that scrolls: without it the margin has no effect
    { root: element.closest('.taro_page'), rootMargin: '50%' },
  )
  watch.observe(element)
  return () => watch.disconnect()
}
