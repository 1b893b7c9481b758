/** Counts the Chinese characters that a reader of a page sees: screens have a budget of words. */
import type { Page } from 'playwright-core'

export interface VisibleCharacters {
  /** on the whole page, what is scrolled to included */
  page: number
  /** on the screen as it is, without what a bar or a sheet covers */
  screen: number
}

/** Runs on the page. */
function count(): VisibleCharacters {
  const sums = { page: 0, screen: 0 }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const parent = node.parentElement
    if (!parent?.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    for (const { index } of (node.textContent ?? '').matchAll(/\p{Script=Han}/gu)) {
      range.setStart(node, index)
      range.setEnd(node, index + 1)
      const { left, top, width, height } = range.getBoundingClientRect()
      // texts for screen readers alone are clipped to a pixel
      if (width < 2 || height < 2 || parent.clientWidth === 1) continue
      sums.page++
      const [x, y] = [left + width / 2, top + height / 2]
      // null outside the screen; something that covers the text does not contain its parent
      if (document.elementFromPoint(x, y)?.contains(parent)) sums.screen++
    }
  }
  return sums
}

/** @param page open at 375 × 812, the size at which the budgets hold */
export const visibleCharacters = (page: Page): Promise<VisibleCharacters> => page.evaluate(count)
