import { dialog } from '@/platform/dialog'
import type { Album } from './port'

export const album: Album = {
  async save(png, name) {
    const link = document.createElement('a')
    link.href = png
    link.download = name
    document.body.append(link)
    link.click()
    link.remove()
    // browsers inside other apps take no downloads and say nothing about it
    dialog.toast('已保存；如没有保存，请长按图片保存')
  },
}
