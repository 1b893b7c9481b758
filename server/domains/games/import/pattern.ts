/**
 * Patterns of imported configs run on what users type, in the browser and on the server, so only a kind is let in whose
 * cost is small for any text: characters and character sets with counts, in a row, no groups, no alternatives, and two
 * counts that may vary, where not beginning at the start counts as one. 2,000 characters then cost 2 million steps, some
 * milliseconds; with three it would be seconds.
 */
const ATOM = /\\[dws.\-+/]|\[\^?(?:\\[dws\]\\.-]|[^\]\\[])+\]|[^\\[\](){}|*+?^$.]/y
const COUNT = /\{\d{1,3}(,\d{0,3})?\}|[*+?]/y
const MAX_VARYING = 2

const take = (pattern: RegExp, text: string, at: number): string | undefined => {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

/** Whether the pattern is a regular expression of the safe kind. */
export function isSafePattern(pattern: string): boolean {
  const body = pattern.replace(/^\^/, '').replace(/\$$/, '')
  let varying = pattern.startsWith('^') ? 0 : 1
  for (let at = 0; at < body.length; ) {
    const atom = take(ATOM, body, at)
    if (atom === undefined) return false
    at += atom.length
    const count = take(COUNT, body, at)
    at += count?.length ?? 0
    if (count !== undefined && /[*+?,]/.test(count)) varying++
  }
  return varying <= MAX_VARYING && compiles(pattern)
}

function compiles(pattern: string): boolean {
  try {
    new RegExp(pattern)
    return true
  } catch {
    return false
  }
}
