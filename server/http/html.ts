/** HTML that needs no escaping. Only `html` creates it, so all external input has been escaped. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | string | number | false | null | undefined | readonly Part[]

const escapeText = (text: string) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)

function render(part: Part): string {
  if (part instanceof Html) return part.text
  if (part === null || part === undefined || part === false) return ''
  if (typeof part === 'string' || typeof part === 'number') return escapeText(String(part))
  return part.map(render).join('')
}

/** Builds HTML: every value is escaped, lists are joined, null and false render nothing. Attributes must be quoted. */
export const html = (words: TemplateStringsArray, ...parts: Part[]): Html =>
  new Html(words.map((word, i) => word + (i < parts.length ? render(parts[i]) : '')).join(''))

/** Options of a `select`, from value to label. */
export const options = (all: Record<string, string>, chosen: string | undefined): Html =>
  html`${Object.entries(all).map(([value, words]) => html`<option value="${value}"${value === chosen && html` selected`}>${words}</option>`)}`
