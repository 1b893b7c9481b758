const MAX_LENGTH = 600

/**
 * Removes personal data from an error's text: quoted parts (engines quote the input they failed to parse), query strings,
 * long numbers, tokens and all non-ASCII characters are replaced.
 */
export function redact(text: string): string {
  return (
    text
      // up to the last quote of the line, because quoted text may contain quotes
      .replace(/(["'`]).*\1/g, '""')
      .replace(/\?[^\s)]*/g, '')
      .replace(/[\w.+-]+@[\w.-]+/g, '@')
      .replace(/\b[\w-]{20,}\b/g, '*')
      .replace(/\d{5,}/g, '#')
      .replace(/[^\x20-\x7e\n]+/g, '*')
      .slice(0, MAX_LENGTH)
  )
}
