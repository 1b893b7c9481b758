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

// polls for new content; elements with the focus are not replaced, except rows, which get it again. Not location.href:
// after a refused form that is the form's address, which only takes POST
async function refresh(url) {
  const answer = await fetch(url)
  if (!answer.ok || answer.redirected) return
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html')
  document.querySelectorAll('[data-live]').forEach((old, i) => {
    const now = fresh.querySelectorAll('[data-live]')[i]
    // compare text only: signed addresses of pictures differ each time
    if (!now || old.textContent === now.textContent) return
    const focused = old.contains(document.activeElement) ? document.activeElement : undefined
    if (focused && !('row' in focused.dataset)) return
    old.replaceWith(now)
    if (focused) now.querySelector(`[href="${CSS.escape(focused.getAttribute('href'))}"]`)?.focus()
    if (now.matches('.talk')) now.scrollTop = now.scrollHeight
  })
}
const live = document.querySelector('[data-live]')
if (live) {
  live.scrollTop = live.scrollHeight
  const seconds = Number(live.dataset.every ?? 3)
  setInterval(() => document.hidden || refresh(live.dataset.live).catch(() => undefined), 1000 * seconds)
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

// openings of a comment are inserted at the cursor
document.addEventListener('click', (e) => {
  const words = e.target.dataset?.insert
  const box = words && e.target.form?.elements.comment
  if (!box) return
  const [from, to] = [box.selectionStart, box.selectionEnd]
  box.setRangeText(words, from, to, 'end')
  box.focus()
  box.dispatchEvent(new Event('input', { bubbles: true }))
})

// keeps a delivery form as a draft while it is written
const draftButton = document.querySelector('[data-draft]')
let draftTimer
async function keepDraft() {
  const state = document.querySelector('[data-draft-state]')
  const body = new URLSearchParams(new FormData(draftButton.form))
  const answer = await fetch(draftButton.formAction, { method: 'POST', body })
  state.textContent = answer.ok ? '草稿已自动保存' : '草稿没有保存，请检查网络'
}
draftButton?.form.addEventListener('input', () => {
  clearTimeout(draftTimer)
  draftTimer = setTimeout(() => keepDraft().catch(() => undefined), 2000)
})

// says which file was chosen
document.addEventListener('change', (e) => {
  const output = e.target.type === 'file' && e.target.closest('.file')?.querySelector('[data-file]')
  if (output) output.textContent = e.target.files[0]?.name ?? '未选择图片'
})

// share of the frame by which an arrow moves an enlarged picture
const PICTURE_STEP = 0.25
const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }

// an open picture: arrows go on, or move it when enlarged; z enlarges, c puts the next one beside it; buttons do the
// last two by mouse and touch
function handlePicture(key) {
  const open = document.querySelector('.big:target')
  if (!open) return false
  const all = [...document.querySelectorAll('.big')]
  const at = all.indexOf(open)
  const next = all[(at + (key === 'ArrowLeft' ? all.length - 1 : 1)) % all.length]
  if (key === 'Escape') location.hash = '_'
  else if (arrows[key] && open.classList.contains('zoomed')) {
    const frame = open.querySelector('.frame')
    const [right, down] = arrows[key]
    frame.scrollBy(right * PICTURE_STEP * frame.clientWidth, down * PICTURE_STEP * frame.clientHeight)
  } else if (key === 'ArrowLeft' || key === 'ArrowRight') location.hash = next.id
  else if (key === 'z') open.classList.toggle('zoomed')
  else if (key === 'c' && next !== open) {
    const beside = open.querySelector('img + img')
    open.classList.toggle('beside', !beside)
    if (beside) beside.remove()
    else open.querySelector('.frame').append(next.querySelector('img').cloneNode())
  } else return false
  return true
}
document.addEventListener('keydown', (e) => {
  if (!typing(e.target) && handlePicture(e.key)) e.preventDefault()
})
document.addEventListener('click', (e) => {
  if (e.target.dataset?.picture) handlePicture(e.target.dataset.picture)
})
