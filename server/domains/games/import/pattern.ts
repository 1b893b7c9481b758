/**
 * Patterns of imported configs run on user input in browser and server, so only patterns with bounded cost are allowed
 * (ReDoS): a sequence of characters and character sets with counts, no groups, no alternatives, and at most two
 * variable counts, where a missing `^` counts as one. 2,000 characters then cost 2 million steps, some milliseconds;
 * with three it would be seconds.
 */
const ATOM = /\\[dws.\-+/]|\[\^?(?:\\[dws\]\\.-]|[^\]\\[])+\]|[^\\[\](){}|*+?^$.]/y
const COUNT = /\{\d{1,3}(,\d{0,3})?\}|[*+?]/y
const MAX_VARYING = 2

const take = (pattern: RegExp, text: string, position: number): string | undefined => {
  pattern.lastIndex = position
  return pattern.exec(text)?.[0]
}

/** Whether the pattern is of this safe subset of regular expressions. */
export function isSafePattern(pattern: string): boolean {
  const body = pattern.replace(/^\^/, '').replace(/\$$/, '')
  let varying = pattern.startsWith('^') ? 0 : 1
  for (let position = 0; position < body.length; ) {
    const atom = take(ATOM, body, position)
    if (atom === undefined) return false
    position += atom.length
    const count = take(COUNT, body, position)
    position += count?.length ?? 0
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
