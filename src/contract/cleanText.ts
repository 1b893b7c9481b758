/**
 * Invisible formatting characters and variation selectors, which are copied along with text from other apps. Ranges are
 * smaller in the bundle than the table that `\p{Cf}` is compiled to.
 */
const UNSEEN =
  /[\u180b-\u180f]|[\ufe00-\ufe0f]|[\xad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\uddef]/g

/** The text without invisible characters and in normal width, for text that is compared or read as a value, not prose. */
export const cleanText = (text: string): string => text.replace(UNSEEN, '').normalize('NFKC')

/** characters of a pasted message that are read; seven SMS of 70 Chinese characters */
const MESSAGE_MAX = 500

/** The code in a typed or pasted text, which may be a whole message; at most six digits. */
export const smsCodeOf = (text: string): string => {
  const clean = cleanText(text.slice(0, MESSAGE_MAX))
  return /(?:^|\D)(\d{6})(?!\d)/.exec(clean)?.[1] ?? clean.replace(/\D/g, '').slice(0, 6)
}
