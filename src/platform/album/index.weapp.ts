import { dialog } from '@/platform/dialog'
import type { Album, Kept } from './port'

const write = (filePath: string, data: string) =>
  new Promise<void>((resolve, reject) => {
    wx.getFileSystemManager().writeFile({ filePath, data, encoding: 'base64', success: resolve, fail: reject })
  })

/** The host's words: `fail auth deny`, `fail:auth denied`, `fail authorize no response`, `fail cancel`. */
function outcomeOf({ errMsg }: WxFailure): Kept {
  if (/auth/i.test(errMsg)) return 'REFUSED'
  return /cancel/i.test(errMsg) ? 'GIVEN_UP' : 'FAILED'
}

const toAlbum = (filePath: string) =>
  new Promise<Kept>((resolve) => {
    wx.saveImageToPhotosAlbum({ filePath, success: () => resolve('SAVED'), fail: (e) => resolve(outcomeOf(e)) })
  })

/** The host's reader; its menu saves the document or sends it to a chat. */
const show = (filePath: string) =>
  new Promise<Kept>((resolve) => {
    const [success, fail] = [() => resolve('SHOWN'), () => resolve('FAILED')]
    wx.openDocument({ filePath, fileType: 'pdf', showMenu: true, success, fail })
  })

export const album: Album = {
  async save(png, name) {
    const file = `${wx.env.USER_DATA_PATH}/${name}`
    const kept = await write(file, png.slice(png.indexOf(',') + 1)).then(
      () => toAlbum(file),
      () => 'FAILED' as const,
    )
    if (kept === 'SAVED') dialog.toast('已保存到相册')
    else if (kept === 'REFUSED')
      dialog.toast('没有保存到相册的权限，允许后可以保存，也可以截图', {
        label: '去设置',
        run: () => void album.allow(),
      })
    else if (kept !== 'GIVEN_UP') dialog.toast('保存失败，请重试或截图保存')
  },
  way: () => 'album',
  keep: (file, _name, kind) => (kind === 'PDF' ? show(file) : toAlbum(file)),
  allow: () =>
    new Promise((resolve) => {
      wx.openSetting({
        success: ({ authSetting }) => resolve(authSetting['scope.writePhotosAlbum'] === true),
        fail: () => resolve(false),
      })
    }),
}
