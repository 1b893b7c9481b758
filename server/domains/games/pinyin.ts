/**
 * Initials of Chinese names without a dictionary: ICU sorts characters by pinyin, so a character's initial is that of
 * the last boundary at or before it (each boundary is the first common character of its letter).
 */
const boundaries = '阿八嚓哒妸发旮哈讥咔垃妈拏噢妑七呥仨他穵夕丫帀'
const letters = 'abcdefghjklmnopqrstwxyz'
const { compare } = new Intl.Collator('zh-CN-u-co-pinyin')

function initialOf(char: string): string {
  if (/[a-z0-9]/i.test(char)) return char.toLowerCase()
  if (!/\p{Script=Han}/u.test(char)) return ''
  let found = ''
  for (const [i, boundary] of Array.from(boundaries).entries()) {
    if (compare(boundary, char) > 0) break
    found = letters[i] ?? ''
  }
  return found
}

/** `王者荣耀` → `wzry`. Characters with several readings get the most common one. */
export const initialsOf = (name: string): string => Array.from(name, initialOf).join('')

/** Heading in an A–Z index; `#` for names that start with neither a letter nor Chinese. */
export function letterOf(name: string): string {
  const first = initialsOf(name)[0] ?? ''
  return /[a-z]/.test(first) ? first.toUpperCase() : '#'
}
