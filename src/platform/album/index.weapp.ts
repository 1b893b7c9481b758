import { dialog } from '@/platform/dialog'
import type { Album } from './port'

const write = (filePath: string, data: string) =>
  new Promise<void>((resolve, reject) => {
    wx.getFileSystemManager().writeFile({ filePath, data, encoding: 'base64', success: resolve, fail: reject })
  })

const keep = (filePath: string) =>
  new Promise<void>((resolve, reject) => {
    wx.saveImageToPhotosAlbum({ filePath, success: resolve, fail: reject })
  })

export const album: Album = {
  async save(png, name) {
    const file = `${wx.env.USER_DATA_PATH}/${name}`
    try {
      await write(file, png.slice(png.indexOf(',') + 1))
      await keep(file)
      dialog.toast('已保存到相册')
    } catch {
      dialog.toast('没有保存成功，请在设置里允许访问相册，或截图保存')
    }
  },
}
