import type { TrackKeyboardHeight } from './port'

/** px; browser bars that appear and disappear are lower than any keyboard. */
const MIN_KEYBOARD_HEIGHT = 120

/** iOS 12 moves the window up for the keyboard and leaves it there. Nothing else scrolls it: pages scroll themselves. */
const scrollBackAfterKeyboard = () =>
  document.addEventListener('focusout', () =>
    // unless the next field takes the focus, and with it the keyboard
    setTimeout(() => document.activeElement === document.body && window.scrollTo(0, 0)),
  )

/** In Safari and recent Chrome the keyboard overlays the page and only shrinks the visual viewport. */
export const trackKeyboardHeight: TrackKeyboardHeight = () => {
  const { visualViewport: view } = window
  if (!view) {
    scrollBackAfterKeyboard()
    return
  }
  const update = () => {
    // accessibility settings may allow pinch zoom although it is blocked; it is not a keyboard
    const covered = Math.round(window.innerHeight - view.height - view.offsetTop)
    const height = covered >= MIN_KEYBOARD_HEIGHT && view.scale < 1.01 ? covered : 0
    document.documentElement.style.setProperty('--keyboard', `${height}px`)
  }
  view.addEventListener('resize', update)
  // Safari also scrolls the page under the keyboard
  view.addEventListener('scroll', update)
}
