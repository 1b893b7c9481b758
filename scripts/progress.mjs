/** Steps in a terminal: a line for each that has ended, with its seconds, and a last line that says what is running. */
import { say } from './lib.mjs'

/** @type {Map<string, { started: number, detail: string }>} */
const running = new Map()
const isTerminal = process.stderr.isTTY
const REDRAWN_EVERY_MS = 1000

const seconds = (since, digits) => `${((performance.now() - since) / 1000).toFixed(digits)} s`
const clear = () => isTerminal && process.stderr.write('\r\x1b[K')

function draw() {
  if (running.size === 0) return
  clear()
  const parts = [...running].map(([title, { started, detail }]) => `${title} ${seconds(started, 0)}${detail}`)
  if (isTerminal) process.stderr.write(`▸ ${parts.join(' · ')}`)
}
if (isTerminal) setInterval(draw, REDRAWN_EVERY_MS).unref()

/**
 * @param {string} title
 * @param {(tell: (detail: string) => void) => Promise<boolean>} work `tell`: what it is doing, shown in a terminal
 * @returns {Promise<boolean>} whether it succeeded
 */
export async function step(title, work) {
  const one = { started: performance.now(), detail: '' }
  running.set(title, one)
  if (!isTerminal) say(`▸ ${title} …`)
  draw()
  const ok = await work((detail) => {
    one.detail = `（${detail}）`
  })
  running.delete(title)
  clear()
  say(`${ok ? '✓' : '✗'} ${title} ${seconds(one.started, 1)}`)
  draw()
  return ok
}
