/** In JSON text written by us: NUL or half a surrogate pair, which no database column takes. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i

/** Whether every text inside the value can be stored. */
export const isStorable = (value: unknown): boolean => !unstorable.test(JSON.stringify(value) ?? '')
