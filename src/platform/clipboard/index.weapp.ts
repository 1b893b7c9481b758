import Taro from '@tarojs/taro'
import { dialog } from '@/platform/dialog'
import type { Clipboard } from './port'

export const clipboard: Clipboard = {
  copy: (text) =>
    Taro.setClipboardData({ data: text }).then(
      // the host itself says 内容已复制
      () => true,
      () => {
        dialog.toast('复制失败，请稍后再试')
        return false
      },
    ),
}
