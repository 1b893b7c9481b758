import Taro from '@tarojs/taro'
import { dialog } from '@/platform/dialog'
import type { ImagePreview } from './port'

/** The host's own viewer. */
export const imagePreview: ImagePreview = {
  open(urls, current = urls[0]) {
    if (current === undefined) return
    Taro.previewImage({ urls: [...urls], current }).catch(() => dialog.toast('图片打不开，请重试'))
  },
}
