import { options } from 'preact'

/**
 * What React does and Preact does not: `flushSync` leaves nothing undone that was begun before it, effects included.
 * With it Taro puts a box right in the very event in which something was typed that does not belong there.
 */
let draw
let effects
let drawing = false

options.debounceRendering = (drawAll) => {
  const once = () => {
    if (drawing) return
    draw = undefined
    drawing = true
    try {
      drawAll()
    } finally {
      drawing = false
    }
  }
  draw = once
  Promise.resolve().then(once)
}

/** ms; a page out of sight gets no frames */
const NO_FRAME = 100

// after the next frame, as Preact does it by itself
options.requestAnimationFrame = (runAll) => {
  const done = () => {
    clearTimeout(timeout)
    cancelAnimationFrame(frame)
    setTimeout(runAll)
  }
  const timeout = setTimeout(done, NO_FRAME)
  const frame = requestAnimationFrame(done)
  effects = runAll
}

function step() {
  if (draw) return draw()
  const runAll = effects
  effects = undefined
  runAll()
}

export function flushSync(act) {
  const result = act()
  // in the midst of drawing (a box that is taken away loses the focus) that comes first
  while (!drawing && (draw || effects)) step()
  return result
}

export * from 'preact/compat'
