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
  expect(toast).toHaveBeenLastCalledWith('没有保存成功，请在设置里允许访问相册，或截图保存')
})
