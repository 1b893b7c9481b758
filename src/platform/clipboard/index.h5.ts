import { dialog } from '@/platform/dialog'
import type { Clipboard } from './port'

/** Fallback for iOS before 13.4 and plain http, which lack the clipboard API. */
function copyBySelection(text: string) {
  const area = document.createElement('textarea')
  area.value = text
  area.readOnly = true
  area.style.cssText = 'position:fixed;top:0;left:-9999px;font-size:16px'
  document.body.append(area)
  area.select()
  area.setSelectionRange(0, text.length)
  const done = document.execCommand('copy')
  area.remove()
  return done
}

async function put(text: string) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

export const clipboard: Clipboard = {
  async copy(text) {
    const done = await put(text)
    dialog.toast(done ? '已复制' : '复制失败，请长按选择后复制')
    return done
  },
}
