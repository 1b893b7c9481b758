/** Drawn by WeChat itself over a page: toast, loading, modal, action sheet; title, clipboard, scroll. */
import { active, toasts } from '../state'
import { type Api, calls, Refused } from './call'
import { guided } from './privacy'

const layer = () => document.querySelector<HTMLElement>('#overlay') as HTMLElement
const MAX_BUTTON = 4

function element(className: string, text = '', parent: HTMLElement = layer()): HTMLElement {
  const e = document.createElement('div')
  e.className = className
  e.textContent = text
  parent.append(e)
  return e
}

let toast: HTMLElement | undefined
let toastEnd: ReturnType<typeof setTimeout> | undefined

function hideToast() {
  toast?.remove()
  toast = undefined
  clearTimeout(toastEnd)
}

function showToast({ title, duration = 1500, mask }: { title: string; duration?: number; mask?: boolean }) {
  hideToast()
  toasts.push(title)
  toast = element(mask ? 'host-toast host-toast--mask' : 'host-toast', title)
  toastEnd = setTimeout(hideToast, duration)
}

/** Loading and toast are one thing in WeChat: the later replaces the earlier. */
function showLoading({ title, mask }: { title: string; mask?: boolean }) {
  hideToast()
  toast = element(mask ? 'host-toast host-toast--mask' : 'host-toast', title)
}

interface Modal {
  title?: string
  content?: string
  showCancel?: boolean
  cancelText?: string
  confirmText?: string
}

function showModal({ title = '', content = '', showCancel = true, cancelText = '取消', confirmText = '确定' }: Modal) {
  for (const [name, text] of Object.entries({ cancelText, confirmText }))
    if (text.length > MAX_BUTTON)
      throw new Refused(`${name} length should not larger than ${MAX_BUTTON} Chinese characters`)
  return new Promise((resolve) => {
    const modal = element('host-modal')
    const box = element('host-modal__box', '', modal)
    if (title) element('host-modal__title', title, box)
    element('host-modal__content', content, box)
    const row = element('host-modal__row', '', box)
    const button = (text: string, confirm: boolean) =>
      element('host-modal__button', text, row).addEventListener('click', () => {
        modal.remove()
        active()
        resolve({ confirm, cancel: !confirm })
      })
    if (showCancel) button(cancelText, false)
    button(confirmText, true)
  })
}

/** A dialog of WeChat over the page, closed by one of these taps. */
export function choice<T extends string>(texts: readonly T[]): Promise<T> {
  return new Promise((resolve) => {
    const modal = element('host-modal')
    const box = element('host-modal__box', '', modal)
    for (const text of texts)
      element('host-modal__button', text, box).addEventListener('click', () => {
        modal.remove()
        active()
        resolve(text)
      })
  })
}

function showActionSheet({ itemList }: { itemList: string[] }) {
  if (itemList.length > 6) throw new Refused('parameter error: itemList should not be larger than 6')
  return new Promise((resolve, reject) => {
    const modal = element('host-modal')
    const box = element('host-modal__box', '', modal)
    const item = (text: string, run: () => void) =>
      element('host-modal__button', text, box).addEventListener('click', () => {
        modal.remove()
        active()
        run()
      })
    itemList.forEach((text, tapIndex) => {
      item(text, () => resolve({ tapIndex }))
    })
    item('取消', () => reject(new Refused('cancel')))
  })
}

let clipboard = ''
let title = ''
export const readClipboard = () => clipboard
export const readTitle = () => title

export const uiApi: Record<string, Api> = calls({
  showToast,
  hideToast,
  showLoading,
  hideLoading: hideToast,
  showModal,
  showActionSheet,
  setClipboardData: async ({ data }: { data: string }) => {
    await guided('setClipboardData')
    clipboard = data
    // WeChat shows this toast itself
    showToast({ title: '内容已复制' })
  },
  setNavigationBarTitle: (o: { title: string }) => {
    title = o.title
  },
  setNavigationBarColor: () => undefined,
  setBackgroundColor: () => undefined,
  setBackgroundTextStyle: () => undefined,
  hideHomeButton: () => undefined,
  startPullDownRefresh: () => undefined,
  stopPullDownRefresh: () => undefined,
})
