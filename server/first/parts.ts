import { Html, html } from '../desk/html'

/** Pieces of the app's kit (src/ui) as the server draws them: same classes, same words, plain links. */

export const icon = (name: string, size: 's' | 'm' | 'l' = 'm', className = '') =>
  html`<div class="ui-icon ui-icon--${name} ui-icon--${size} ${className}" aria-hidden="true"></div>`

/** A plain link: a tap before the app has come leads on all the same. */
export const tap = (className: string, href: string, inside: Html, label?: string) =>
  html`<a class="f ui-tap ${className}" href="${href}"${label && html` aria-label="${label}"`}>${inside}</a>`

export const tag = (tone: string, text: string) => html`<div class="ui-tag ui-tag--${tone}">${text}</div>`

export const card = (title: string, extra: Html | string | undefined, inside: Html) => html`<div class="ui-card">
<div class="ui-card__head"><div class="ui-card__title">${title}</div>${extra && html`<div class="ui-card__extra">${extra}</div>`}</div>${inside}</div>`

export const notice = (
  tone: string,
  mark: string,
  text: string,
) => html`<div class="ui-notice ui-notice--${tone}" role="status">
${icon(mark, 's', 'ui-notice__icon')}<div class="ui-notice__text">${text}</div></div>`

/** The title bar; `lead` stands at its left. */
export const nav = (title: string, lead?: Html) => html`<div class="ui-nav"><div class="ui-nav__safe"></div>
<div class="ui-nav__bar"><div class="ui-nav__side">${lead}</div><div class="ui-nav__title" role="heading" aria-level="1">${title}</div>
<div class="ui-nav__side ui-nav__side--right"></div></div></div>`

/** A link that looks like a button. */
export const button = (kind: 'primary' | 'secondary', text: string, href: string) =>
  tap(`ui-btn ui-btn--${kind} ui-btn--m ui-btn--block`, href, html`<div class="ui-btn__text">${text}</div>`)

/** A script the page's policy allows by its hash (plugins/pages.ts): it must be one of `inlineScripts`. */
export const script = (code: string) => new Html(`<script>${code}</script>`)

/** What the app's own elements bring along and plain ones lack; before the app's styles, which may differ. */
export const firstStyle = `#first{position:fixed;z-index:30;top:0;left:0;width:100%;height:100%;overflow-x:hidden;overflow-y:scroll;background:var(--bg)}
#first *{box-sizing:border-box}#first[hidden],#first-go[hidden]{display:none}.f{display:block;color:inherit;text-decoration:none}.f-row{overflow-x:auto;overflow-y:hidden}.f-img{display:block;width:100%;height:100%;object-fit:cover}`
