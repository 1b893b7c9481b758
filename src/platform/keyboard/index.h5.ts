import type { FollowKeyboard } from './port'

/** px; a browser's own bars that come and go are lower than any keyboard. */
const MIN_KEYBOARD_HEIGHT = 120

/** In Safari and recent Chrome the keyboard overlays the page and only shrinks the visual viewport. */
export const followKeyboard: FollowKeyboard = () => {
  const { visualViewport: view } = window
  if (!view) return
  const update = () => {
    // zooming with two fingers is blocked, but accessibility settings may still allow it: that is not a keyboard
    const covered = Math.round(window.innerHeight - view.height - view.offsetTop)
    const height = covered >= MIN_KEYBOARD_HEIGHT && view.scale < 1.01 ? covered : 0
    document.documentElement.style.setProperty('--keyboard', `${height}px`)
  }
  view.addEventListener('resize', update)
  // Safari also moves the page under the keyboard
  view.addEventListener('scroll', update)
}
