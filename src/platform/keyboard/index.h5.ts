import type { FollowKeyboard } from './port'

/** px; a browser's own bars that come and go are lower than any keyboard. */
const MIN_KEYBOARD_HEIGHT = 120

/** Safari and newer Chromes lay the keyboard over the page: only the visual viewport gets smaller. */
export const followKeyboard: FollowKeyboard = () => {
  const { visualViewport: view } = window
  if (!view) return
  const update = () => {
    // zooming with two fingers is blocked, but accessibility settings may still allow it: that is no keyboard
    const covered = Math.round(window.innerHeight - view.height - view.offsetTop)
    const height = covered >= MIN_KEYBOARD_HEIGHT && view.scale < 1.01 ? covered : 0
    document.documentElement.style.setProperty('--keyboard', `${height}px`)
  }
  view.addEventListener('resize', update)
  // Safari also moves the page under the keyboard
  view.addEventListener('scroll', update)
}
