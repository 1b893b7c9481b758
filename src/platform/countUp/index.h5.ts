import { count } from '@/contract/format'
import type { CountUp } from './port'

/** ms */
const DURATION = 500
const CLASS = 'counts-up'

const isStill = (el: Element) =>
  matchMedia('(prefers-reduced-motion: reduce)').matches || el.closest('.ui-reduced-motion') !== null

/** The steps are the content (`data-count`) of a pseudo-element over the price, which stays in the DOM unchanged. */
export const countUp: CountUp = (selector) => {
  const el = document.querySelector<HTMLElement>(selector)
  const until = Number(el?.textContent?.replace(/\D/g, ''))
  if (!el || !until || isStill(el)) return () => undefined
  let frame = 0
  let began = 0
  const end = () => {
    cancelAnimationFrame(frame)
    el.classList.remove(CLASS)
  }
  const step = (now: number) => {
    began ||= now
    const left = 1 - (now - began) / DURATION
    if (left <= 0) return end()
    el.dataset.count = count(Math.round(until * (1 - left ** 3)))
    el.classList.add(CLASS)
    frame = requestAnimationFrame(step)
  }
  frame = requestAnimationFrame(step)
  return end
}
