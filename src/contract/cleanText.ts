/**
 * Invisible formatting characters and variation selectors, which are copied along with text from other apps. Ranges are
 * smaller in the bundle than the table that `\p{Cf}` is compiled to.
 */
const UNSEEN =
  /[\u180b-\u180f]|[\ufe00-\ufe0f]|[\xad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\uddef]/g

const PICTURE =
  /[\u00a9\u00ae\u203c-\u205f\u2070-\u2bff\u3030\u303d\u3297\u3299]|[\ud83c-\ud83e][\udc00-\udfff]|[\d#*](?=\ufe0f\u20e3)/
/** behind a picture: whether it is drawn in colour, or the region of a flag */
const VARIANT = /[\ufe0e\ufe0f]|(?:\udb40[\udc30-\udc7a]){3,6}\udb40\udc7f/
const EMOJI = `(${PICTURE.source})(?:${VARIANT.source})?(?:\\u200d(?=${PICTURE.source}))?`
/** A picture of an emoji, with the invisible characters that belong to it; `$1` is what is seen. */
export const emoji = new RegExp(EMOJI, 'g')
const emojiOrUnseen = new RegExp(`(${EMOJI})|${UNSEEN.source}`, 'g')

/** The text without invisible characters and in normal width, for text that is compared or read as a value. */
export const cleanText = (text: string): string => text.replace(UNSEEN, '').normalize('NFKC')

/** Prose without invisible characters, except those that belong to an emoji; its width is as written. */
export const cleanProse = (text: string): string => text.replace(emojiOrUnseen, '$1')

/** characters of a pasted message that are read; seven SMS of 70 Chinese characters */
const MESSAGE_MAX = 500

/** The code in a typed or pasted text, which may be a whole message; at most six digits. */
export const smsCodeOf = (text: string): string => {
  const clean = cleanText(text.slice(0, MESSAGE_MAX))
  return /(?:^|\D)(\d{6})(?!\d)/.exec(clean)?.[1] ?? clean.replace(/\D/g, '').slice(0, 6)
}
