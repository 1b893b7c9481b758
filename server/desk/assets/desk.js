// Keys for people who do this all day. Everything works without it.
const typing = (el) => el.matches('input, textarea, select')
const rows = () => [...document.querySelectorAll('[data-row]')]

function step(by) {
  const all = rows()
  const at = all.indexOf(document.activeElement)
  const next = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, at + by))]
  next?.focus()
}

document.addEventListener('keydown', (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || e.isComposing) return
  if (e.key === 'Escape' && typing(e.target)) return e.target.blur()
  if (typing(e.target)) return
  if (e.key === 'j' || e.key === 'k') return step(e.key === 'j' ? 1 : -1)
  const target = document.querySelector(`[data-key="${CSS.escape(e.key)}"]`)
  if (!target) return
  e.preventDefault()
  target.focus()
  if (target.matches('a, button') && !('onlyFocus' in target.dataset)) target.click()
})

// a double press sends once
document.addEventListener('submit', (e) => {
  if (e.target.dataset.sent) return e.preventDefault()
  e.target.dataset.sent = '1'
})
// a page that comes back from the browser's memory may be sent again
addEventListener('pageshow', () => {
  for (const form of document.forms) delete form.dataset.sent
})

document.querySelector('[data-first]')?.focus()
