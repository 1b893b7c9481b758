// Keyboard shortcuts for frequent users. Every page also works without this script.
const typing = (el) => el.matches('input, textarea, select')
const rows = () => [...document.querySelectorAll('[data-row]')]

function step(by) {
  const all = rows()
  const place = all.indexOf(document.activeElement)
  const next = all[place < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, place + by))]
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
  if (target.matches('a, button, summary') && !('onlyFocus' in target.dataset)) target.click()
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

// ⌘↵ and Ctrl+Enter deliver, also from a text field
document.addEventListener('keydown', (e) => {
  if (e.key !== 'Enter' || !(e.ctrlKey || e.metaKey) || e.isComposing) return
  document.querySelector('[data-deliver]')?.click()
})

// quick and list price follow the typed price until they are typed themselves
const priceInput = (name) => document.querySelector(`#deliver [name="${name}"]`)
const yuanOf = (name) => Number(priceInput(name)?.value.replace(/[¥,，\s]/g, ''))
function followPrice() {
  const [yuan, low, high] = ['price', 'low', 'high'].map(yuanOf)
  for (const input of document.querySelectorAll('[data-share]')) {
    const fair = Math.round(yuan * Number(input.dataset.share))
    // as the server does: not beyond the end of the range
    const within = input.name === 'quick' ? Math.max(fair, low || 0) : Math.min(fair, high || fair)
    input.placeholder = yuan > 0 ? `${within}（自动）` : '自动'
  }
}
for (const name of ['price', 'low', 'high']) priceInput(name)?.addEventListener('input', followPrice)
followPrice()

// keeps a delivery form as a draft while it is written
const draftButton = document.querySelector('[data-draft]')
let draftTimer
async function keepDraft() {
  const state = document.querySelector('[data-draft-state]')
  const body = new URLSearchParams(new FormData(draftButton.form))
  const answer = await fetch(draftButton.formAction, { method: 'POST', body })
  state.textContent = answer.ok ? '草稿已自动保存' : '草稿没有保存，请检查网络'
}
document.addEventListener('input', (e) => {
  // the inputs of the model's lines belong to the form, too, but stand outside of it
  if (!draftButton || e.target.form !== draftButton.form) return
  clearTimeout(draftTimer)
  draftTimer = setTimeout(() => keepDraft().catch(() => undefined), 2000)
})

// says which file was chosen
document.addEventListener('change', (e) => {
  const output = e.target.type === 'file' && e.target.closest('.file')?.querySelector('[data-file]')
  if (output) output.textContent = e.target.files[0]?.name ?? '未选择图片'
})

// one picture is large: arrows change it, z or a click shows it in its own size, in which arrows move it
const picture = document.querySelector('[data-picture]')
const thumbs = [...document.querySelectorAll('[data-thumb]')]
function showPicture(place) {
  const next = thumbs[(place + thumbs.length) % thumbs.length]
  if (!next) return
  const image = picture.querySelector('img')
  image.src = next.getAttribute('href')
  image.alt = next.querySelector('img').alt
  for (const thumb of thumbs) thumb.toggleAttribute('aria-current', thumb === next)
}
const shownAt = () =>
  Math.max(
    0,
    thumbs.findIndex((thumb) => thumb.hasAttribute('aria-current')),
  )
const enlarge = (on) => picture.classList.toggle('whole-size', on)
picture?.addEventListener('click', () => enlarge())
for (const [i, thumb] of thumbs.entries())
  thumb.addEventListener('click', (e) => {
    e.preventDefault()
    showPicture(i)
  })
if (picture) showPicture(0)
// share of the frame by which an arrow moves a picture in its own size
const PICTURE_STEP = 0.25
const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }
document.addEventListener('keydown', (e) => {
  if (!picture || typing(e.target) || e.ctrlKey || e.metaKey || e.altKey) return
  const isLarge = picture.classList.contains('whole-size')
  const [right = 0, down = 0] = arrows[e.key] ?? []
  if (e.key === 'z') enlarge()
  else if (e.key === 'Escape' && isLarge) enlarge(false)
  else if (isLarge && arrows[e.key])
    picture.scrollBy(right * PICTURE_STEP * picture.clientWidth, down * PICTURE_STEP * picture.clientHeight)
  else if (right !== 0 && thumbs.length > 1) showPicture(shownAt() + right)
  else return
  e.preventDefault()
})
