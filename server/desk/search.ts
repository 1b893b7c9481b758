import { type Html, html } from '../http/html'
import type { Req } from './pages'

const MAX_WORDS = 60

/** The words looked for on a page. */
export const wordsOf = ({ query }: Req): string =>
  typeof query.q === 'string' ? query.q.replaceAll('\0', '').trim().slice(0, MAX_WORDS) : ''

/** Pattern of `ilike` for text that contains the words. */
export const patternOf = (words: string): string => `%${words.replace(/[\\%_]/g, '\\$&')}%`

/** A search of the page it stands on. */
export const searchForm = (
  label: string,
  words: string,
): Html => html`<form method="get" class="card search" role="search"><label>${label}
<input name="q" value="${words}" maxlength="${MAX_WORDS}" data-key="/" autocomplete="off"></label><button class="go">查找</button></form>`
