import { dialog } from '@/platform/dialog'
import type { Album } from './port'

/** object URLs are revoked after this time, when every browser has started writing the file */
const FORGET_AFTER = 60_000

function download(href: string, name: string) {
  const link = document.createElement('a')
  link.href = href
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
}

export const album: Album = {
  async save(png, name) {
    download(png, name)
    // in-app browsers may silently ignore downloads
    dialog.toast('已保存；如没有保存，请长按图片保存')
  },
  method: () => (/MicroMessenger/i.test(navigator.userAgent) ? 'none' : 'download'),
  async saveFile(file, name) {
    download(file, name)
    setTimeout(() => URL.revokeObjectURL(file), FORGET_AFTER)
    return 'SAVED'
  },
  allow: async () => true,
}
