/** In our JSON text: NUL or an unpaired surrogate, which no database column accepts. */
const unstorable = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/gi

/** Whether all strings in the value can be stored. */
export const isJsonbSafe = (value: unknown): boolean => (JSON.stringify(value) ?? '').search(unstorable) < 0

/** JSON of external data; characters that cannot be stored become the replacement character. */
export const toJsonbText = (value: unknown): string | undefined =>
  (JSON.stringify(value) as string | undefined)?.replace(unstorable, '$1\\ufffd')
