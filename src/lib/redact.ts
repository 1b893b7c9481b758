/** characters of a text that are kept */
const MOST = 600

/**
 * An error's text without anything of a person: quoted parts (the engine quotes what it failed to read), queries of
 * addresses, long numbers, tokens and everything that is not ASCII are replaced.
 */
export function redact(text: string): string {
  return (
    text
      // to the last quote of the line: what is quoted may hold quotes
      .replace(/(["'`]).*\1/g, '""')
      .replace(/\?[^\s)]*/g, '')
      .replace(/[\w.+-]+@[\w.-]+/g, '@')
      .replace(/\b[\w-]{20,}\b/g, '*')
      .replace(/\d{5,}/g, '#')
      .replace(/[^\x20-\x7e\n]+/g, '*')
      .slice(0, MOST)
  )
}
