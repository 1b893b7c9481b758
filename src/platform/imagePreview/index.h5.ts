import './imagePreview.scss'
import { pushOverlay } from '@/platform/backHandler/history'
import { button, createElement, modal } from '@/platform/dialog/dom'
import { attachGestures } from './fingers'
import type { ImagePreview } from './port'

const FAILED = '图片加载失败'

let close = () => {}

function open(urls: readonly string[], current = urls[0]) {
  close()
  if (current === undefined) return
  let index = Math.max(0, urls.indexOf(current))
  const layer = createElement('div', 'pf-preview', '', {
    role: 'dialog',
    'aria-modal': 'true',
    'aria-label': '图片预览',
  })
  const picture = createElement('img', 'pf-preview__img', '', { draggable: 'false' })
  const place = createElement('div', 'pf-preview__place', '', { role: 'status' })
  const stage = createElement('div', 'pf-preview__stage')
  stage.append(picture)
  const reset = attachGestures(stage, picture, go)
  picture.onerror = () => {
    place.textContent = FAILED
  }

  function go(by: number) {
    index = Math.min(urls.length - 1, Math.max(0, index + by))
    reset()
    place.textContent = urls.length > 1 ? `${index + 1} / ${urls.length}` : ''
    picture.alt = `图片 ${index + 1}`
    picture.src = urls[index] ?? current ?? ''
  }
  const onKey = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowLeft') go(-1)
    if (key === 'ArrowRight') go(1)
  }

  const leave = button('pf-preview__close', '×', () => close())
  leave.setAttribute('aria-label', '关闭')
  layer.append(stage, place, leave)
  layer.addEventListener('keydown', onKey)
  const remove = modal(layer, () => close())
  const end = () => {
    close = () => {}
    release()
    remove()
  }
  const release = pushOverlay(end)
  close = end
  go(0)
  leave.focus()
}

/** Plain DOM over everything, like the dialogs: no page transition moves it. */
export const imagePreview: ImagePreview = { open }
