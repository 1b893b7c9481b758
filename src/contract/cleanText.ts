/** Invisible formatting characters and variation selectors, which are copied along with text from other apps. */
const UNSEEN = /[\p{Cf}\p{Variation_Selector}]/gu

/** The text without invisible characters and in normal width, for text that is compared or read as a value, not prose. */
export const cleanText = (text: string): string => text.replace(UNSEEN, '').normalize('NFKC')
