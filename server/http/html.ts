/** Text that is already HTML. Only `html` makes it, so whatever comes from outside is escaped on the way. */
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

/** A piece of a page: every value is escaped, lists are joined, nothing is nothing. Attributes are always in quotes. */
export const html = (words: TemplateStringsArray, ...parts: Part[]): Html =>
  new Html(words.map((word, i) => word + (i < parts.length ? render(parts[i]) : '')).join(''))

/** The choices of a `select`: value to words. */
export const options = (all: Record<string, string>, chosen: string | undefined): Html =>
  html`${Object.entries(all).map(([value, words]) => html`<option value="${value}"${value === chosen && html` selected`}>${words}</option>`)}`
