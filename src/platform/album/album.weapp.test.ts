import Taro from '@tarojs/taro'
import { dialog } from '@/platform/dialog'
import { album } from '.'

interface Call {
  filePath: string
  data?: string
  success(): void
  fail(error: object): void
}

it('writes the picture, gives it to the album, and says how to help oneself when that is refused', async () => {
  const toast = jest.spyOn(dialog, 'toast').mockImplementation(() => undefined)
  const calls: Call[] = []
  const host = wx as unknown as Record<string, unknown>
  host.env = { USER_DATA_PATH: 'http://usr' }
  let allowed = true
  host.getFileSystemManager = () => ({
    writeFile: (o: Call) => {
      calls.push(o)
      o.success()
    },
  })
  host.saveImageToPhotosAlbum = (o: Call) => {
    calls.push(o)
    if (allowed) o.success()
    else o.fail({ errMsg: 'saveImageToPhotosAlbum:fail auth deny' })
  }
  await album.save('data:image/png;base64,AAAA', 'a.png')
  expect(calls).toMatchObject([{ filePath: 'http://usr/a.png', data: 'AAAA' }, { filePath: 'http://usr/a.png' }])
  expect(toast).toHaveBeenLastCalledWith('已保存到相册')
  allowed = false
  await album.save('data:image/png;base64,AAAA', 'a.png')
  expect(toast).toHaveBeenLastCalledWith(
    '没有保存到相册的权限，允许后可以保存，也可以截图',
    expect.objectContaining({ label: '去设置' }),
  )
})

/** A phone whose album answers so. */
function phone(errMsg: string | undefined) {
  const written: string[] = []
  Object.assign(wx, {
    saveImageToPhotosAlbum: ({ filePath, success, fail }: WxCall) => {
      if (errMsg) return fail({ errMsg })
      written.push(filePath)
      success()
    },
  })
  return written
}
const keep = () => album.saveFile('wxfile://tmp/a.png', 'a.png', 'PNG')

it('a picture goes to the album; a refusal, a cancellation and an error are distinguished', async () => {
  const written = phone(undefined)
  expect(await keep()).toBe('SAVED')
  expect(written).toEqual(['wxfile://tmp/a.png'])
  for (const [errMsg, kept] of [
    ['saveImageToPhotosAlbum:fail auth deny', 'REFUSED'],
    ['saveImageToPhotosAlbum:fail:auth denied', 'REFUSED'],
    ['saveImageToPhotosAlbum:fail authorize no response', 'REFUSED'],
    ['saveImageToPhotosAlbum:fail:system permission denied', 'REFUSED'],
    ['saveImageToPhotosAlbum:fail privacy permission is not authorized', 'NO_CONSENT'],
    ['saveImageToPhotosAlbum:fail cancel', 'GIVEN_UP'],
    ['saveImageToPhotosAlbum:fail file not exists', 'FAILED'],
  ] as const) {
    phone(errMsg)
    expect(await keep()).toBe(kept)
  }
})

it('a document is shown by the host, with its menu', async () => {
  const openDocument = jest.fn(({ success }: WxCall) => success())
  Object.assign(wx, { openDocument })
  expect(await album.saveFile('wxfile://tmp/a.pdf', 'a.pdf', 'PDF')).toBe('SHOWN')
  expect(openDocument).toHaveBeenCalledWith(
    expect.objectContaining({ filePath: 'wxfile://tmp/a.pdf', fileType: 'pdf', showMenu: true }),
  )
})

it('a permission that the phone denies to WeChat leads to the settings of the phone', async () => {
  const asked = jest.spyOn(Taro, 'getAppAuthorizeSetting')
  const answer = (albumAuthorized: 'denied' | 'authorized') =>
    asked.mockReturnValue({ albumAuthorized } as ReturnType<typeof Taro.getAppAuthorizeSetting>)
  answer('denied')
  const opened = jest.spyOn(Taro, 'openAppAuthorizeSetting').mockImplementation(async () => {
    answer('authorized')
    return { errMsg: '' }
  })
  expect(await album.allow()).toBe(true)
  expect(opened).toHaveBeenCalledTimes(1)
  asked.mockRestore()
})

it.each([
  ['only the camera is denied by the phone', () => ({ albumAuthorized: 'authorized', cameraAuthorized: 'denied' })],
  ['the host is too old to say what the phone denies', undefined],
])('the settings of WeChat decide when %s', async (_, getAppAuthorizeSetting) => {
  // Taro has this call on WeChat only, without its absence on an old host
  const before = wx.getAppAuthorizeSetting
  const phone = jest.spyOn(Taro, 'openAppAuthorizeSetting').mockClear()
  const openSetting = jest.fn(({ success }: WxCall) => success({ authSetting: { 'scope.writePhotosAlbum': true } }))
  Object.assign(wx, { getAppAuthorizeSetting, openSetting })
  const asked = jest.spyOn(Taro, 'getAppAuthorizeSetting').mockImplementation((): never => {
    if (!getAppAuthorizeSetting) throw new TypeError('not a function')
    return getAppAuthorizeSetting() as never
  })
  expect(await album.allow()).toBe(true)
  expect(openSetting).toHaveBeenCalledTimes(1)
  expect(phone).not.toHaveBeenCalled()
  asked.mockRestore()
  Object.assign(wx, { getAppAuthorizeSetting: before })
})

it('the permission counts as given only when the host says so afterwards', async () => {
  for (const given of [true, false]) {
    Object.assign(wx, {
      openSetting: ({ success }: WxCall) => success({ authSetting: { 'scope.writePhotosAlbum': given } }),
    })
    expect(await album.allow()).toBe(given)
  }
})
