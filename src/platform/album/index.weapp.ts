import Taro from '@tarojs/taro'
import { dialog } from '@/platform/dialog'
import { isAlbumDeniedByPhone, missingConsent } from '@/platform/pictures/hostError'
import type { Album, SaveOutcome } from './port'

const write = (filePath: string, data: string) =>
  new Promise<unknown>((resolve, reject) => {
    Taro.getFileSystemManager().writeFile({ filePath, data, encoding: 'base64', success: resolve, fail: reject })
  })

function outcomeOf(failure: TaroGeneral.CallbackResult): SaveOutcome {
  const consent = missingConsent(failure)
  if (consent) return consent === 'privacy' ? 'NO_CONSENT' : 'REFUSED'
  return /cancel/i.test(failure.errMsg) ? 'GIVEN_UP' : 'FAILED'
}

const toAlbum = (filePath: string): Promise<SaveOutcome> =>
  Taro.saveImageToPhotosAlbum({ filePath }).then(() => 'SAVED', outcomeOf)

/** The host's reader; its menu saves the document or sends it to a chat. */
const show = (filePath: string): Promise<SaveOutcome> =>
  Taro.openDocument({ filePath, fileType: 'pdf', showMenu: true }).then(
    () => 'SHOWN',
    () => 'FAILED',
  )

export const album: Album = {
  async save(png, name) {
    const file = `${Taro.env.USER_DATA_PATH}/${name}`
    const outcome = await write(file, png.slice(png.indexOf(',') + 1)).then(
      () => toAlbum(file),
      () => 'FAILED' as const,
    )
    if (outcome === 'SAVED') dialog.toast('已保存到相册')
    else if (outcome === 'REFUSED')
      dialog.toast('没有保存到相册的权限，允许后可以保存，也可以截图', {
        label: '去设置',
        run: () => void album.allow(),
      })
    else if (outcome === 'NO_CONSENT')
      dialog.toast('您没有同意微信的隐私保护指引，暂时不能保存', {
        label: '重新授权',
        run: () => void album.save(png, name),
      })
    else if (outcome !== 'GIVEN_UP') dialog.toast('保存失败，请重试或截图保存')
  },
  method: () => 'album',
  saveFile: (file, _name, kind) => (kind === 'PDF' ? show(file) : toAlbum(file)),
  async allow() {
    try {
      // a denied camera does not matter here
      if (isAlbumDeniedByPhone()) {
        await Taro.openAppAuthorizeSetting({})
        return !isAlbumDeniedByPhone()
      }
      const { authSetting } = await Taro.openSetting()
      return authSetting['scope.writePhotosAlbum'] === true
    } catch {
      return false
    }
  },
}
