/** Plain DOM helpers for elements outside pages (h5 only). */

/** Creates an element with text content, never markup. */
export function createElement<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  text = '',
  attributes: Record<string, string> = {},
) {
  const el = document.createElement(tag)
  el.className = className
  el.textContent = text
  for (const [name, value] of Object.entries(attributes)) el.setAttribute(name, value)
  return el
}

export function button(className: string, text: string, onTap: () => void) {
  const el = createElement('button', className, text, { type: 'button' })
  el.addEventListener('click', onTap)
  return el
}

/** Shows a modal layer: traps Tab, handles Escape. @returns closes it and restores the focus */
export function modal(layer: HTMLElement, onEscape: () => void) {
  const before = document.activeElement
  const onKey = (e: KeyboardEvent) => {
    if (e.key === 'Escape') onEscape()
    if (e.key !== 'Tab') return
    const stops = [...layer.querySelectorAll('button')]
    const index = stops.indexOf(document.activeElement as HTMLButtonElement)
    e.preventDefault()
    stops[(index + (e.shiftKey ? stops.length - 1 : 1)) % stops.length]?.focus()
  }
  document.addEventListener('keydown', onKey, true)
  document.body.append(layer)
  return () => {
    document.removeEventListener('keydown', onKey, true)
    layer.remove()
    if (before instanceof HTMLElement) before.focus()
  }
}
