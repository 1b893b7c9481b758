/** In JSON text written by us: NUL or half a surrogate pair, which no database column takes. */
const unstorable = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/gi

/** Whether every text inside the value can be stored. */
export const isStorable = (value: unknown): boolean => (JSON.stringify(value) ?? '').search(unstorable) < 0

/** JSON of what somebody else wrote; what cannot be stored becomes the replacement character. */
export const storableJson = (value: unknown): string | undefined =>
  (JSON.stringify(value) as string | undefined)?.replace(unstorable, '$1\\ufffd')
