// Keyboard shortcuts for frequent users. Every page also works without this script.
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

// polls for new content; elements with the focus are not replaced
async function refresh() {
  const answer = await fetch(location.href)
  if (!answer.ok || answer.redirected) return
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html')
  document.querySelectorAll('[data-live]').forEach((old, i) => {
    const now = fresh.querySelectorAll('[data-live]')[i]
    // compare text only: signed addresses of pictures differ each time
    if (!now || old.textContent === now.textContent || old.contains(document.activeElement)) return
    old.replaceWith(now)
    if (now.matches('.talk')) now.scrollTop = now.scrollHeight
  })
}
const live = document.querySelector('[data-live]')
if (live) {
  live.scrollTop = live.scrollHeight
  setInterval(() => document.hidden || refresh().catch(() => undefined), 3000)
}

// prevents double submission
document.addEventListener('submit', (e) => {
  if (e.target.dataset.sent) return e.preventDefault()
  e.target.dataset.sent = '1'
})
// a page restored from the back/forward cache may be submitted again
addEventListener('pageshow', () => {
  for (const form of document.forms) delete form.dataset.sent
})

document.querySelector('[data-first]')?.focus()
