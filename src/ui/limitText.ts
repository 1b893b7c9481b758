/**
 * `next` shortened to `max` characters (Unicode code points, as the contract counts them) by dropping the excess from
 * what was inserted into `previous`; text after the cursor stays.
 */
export function limitText(next: string, previous: string, max: number): string {
  const [chars, old] = [[...next], [...previous]]
  const excess = chars.length - max
  if (excess <= 0) return next
  let tail = 0
  while (tail < old.length && tail < max && old[old.length - 1 - tail] === chars[chars.length - 1 - tail]) tail++
  const end = chars.length - tail
  return [...chars.slice(0, Math.max(0, end - excess)), ...chars.slice(end)].slice(0, max).join('')
}

/** A host's own limit counts UTF-16 units, of which a character has at most two. */
export const nativeMaxLength = (max: number) => 2 * max
