import './dialog.scss'
import { TOAST_DURATION } from '@/contract/constants'
import { button, createElement, modal } from './dom'
import { ACTION_MS, type Action, type Confirm, createQueue, type Dialog, type Question } from './port'

let removeToast = () => {}

/** Vertical position of the last tap, where its effect is most likely visible. */
let tappedAt = 0
window.addEventListener('click', ({ clientY }) => (tappedAt = clientY), true)

function toast(text: string, action?: Action) {
  removeToast()
  const el = action
    ? button('pf-toast pf-toast--action', text, () => {
        removeToast()
        action.run()
      })
    : createElement('div', 'pf-toast', text)
  el.setAttribute('role', 'status')
  // shown in the other half of the screen, so that it does not cover the tapped element
  el.style.top = tappedAt < innerHeight / 2 ? '70%' : '25%'
  if (action) el.append(createElement('b', '', action.label))
  document.body.append(el)
  const timer = setTimeout(() => removeToast(), action ? ACTION_MS : TOAST_DURATION)
  removeToast = () => {
    clearTimeout(timer)
    el.remove()
  }
}

const queue = createQueue()

function showConfirm({ title, content, confirmText = '确定', cancelText = '取消' }: Confirm) {
  return new Promise<boolean>((resolve) => {
    const layer = createElement('div', 'pf-layer')
    const box = createElement('div', 'pf-box', '', { role: 'alertdialog', 'aria-modal': 'true', 'aria-label': title })
    const row = createElement('div', 'pf-box__row')
    const end = (confirmed: boolean) => {
      close()
      resolve(confirmed)
    }
    if (cancelText !== null) row.append(button('pf-btn', cancelText, () => end(false)))
    const main = button('pf-btn pf-btn--main', confirmText, () => end(true))
    row.append(main)
    box.append(createElement('h2', 'pf-box__title', title), createElement('p', 'pf-box__text', content), row)
    layer.append(box)
    const close = modal(layer, () => cancelText !== null && end(false))
    main.focus()
  })
}

function coverWithRetry(text: string): Question {
  let resolveAnswer: (again: boolean) => void = () => undefined
  const answer = new Promise<boolean>((resolve) => {
    resolveAnswer = resolve
  })
  const layer = createElement('div', 'pf-layer pf-layer--solid', '', { role: 'alertdialog', 'aria-label': text })
  const end = (again: boolean) => {
    remove()
    resolveAnswer(again)
  }
  const again = button('pf-btn pf-btn--bare', text, () => end(true))
  layer.append(
    again,
    button('pf-btn pf-btn--bare', '返回', () => end(false)),
  )
  layer.addEventListener('click', (e) => e.target === layer && end(true))
  const remove = modal(layer, () => end(false))
  again.focus()
  return { answer, close: () => end(false) }
}

const waiting = new Set<object>()
let busy: HTMLElement | undefined

function loading(text = '请稍候') {
  const mine = {}
  waiting.add(mine)
  busy ??= createElement('div', 'pf-layer pf-layer--clear')
  busy.textContent = ''
  busy.append(createElement('div', 'pf-busy', text, { role: 'status' }))
  document.body.append(busy)
  return () => {
    waiting.delete(mine)
    if (waiting.size === 0) busy?.remove()
  }
}

/** Own DOM, because NutUI's imperative messages do not work on Taro; also works while no page is mounted. */
export const dialog: Dialog = {
  toast,
  confirm: (o) => queue(() => showConfirm(o)),
  loading,
  tapToRetry: coverWithRetry,
}
