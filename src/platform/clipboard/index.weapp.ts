import { dialog } from '@/platform/dialog'
import type { Clipboard } from './port'

export const clipboard: Clipboard = {
  copy: (text) =>
    new Promise((resolve) => {
      wx.setClipboardData({
        data: text,
        // the host itself says 内容已复制
        success: () => resolve(true),
        fail: () => {
          dialog.toast('复制失败，请稍后再试')
          resolve(false)
        },
      })
    }),
}
