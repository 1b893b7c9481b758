import { fakeStorage } from '@/platform/storage/fake'
import { page } from '@/router/page'
import { unlockedReport } from '@/samples/report'
import { dispatch, startSession } from '@/session/store'
import { fakeServer } from '../../../test/fakes/api'
import { tap, until, untilShown } from '../../../test/fakes/screen'
import { openPage } from '../../../test/fakes/taro'
import { ReportImageScreen } from './ReportImageScreen'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())

it('a picture is downloaded once however often it is saved, and again when the album refused the file', async () => {
  startSession(fakeStorage())
  dispatch({ type: 'loggedIn', token: 't', userId: 'u1', newUser: false })
  const download = jest.fn()
  const url = `/pictures/s1/${unlockedReport.reportNo}.png`
  fakeServer(
    {
      evaluation: {
        reportImage: () => ({ url, width: 750, height: 2400, expireAt: Date.now() + 900_000, size: 2_200_000 }),
      },
    },
    {},
    (path) => {
      download(path)
      return 200
    },
  )
  let fail = false
  const save = jest.fn((call: WxCall) => (fail ? call.fail({ errMsg: 'fail file not exists' }) : call.success()))
  Object.assign(wx, { saveImageToPhotosAlbum: save })
  await openPage(page('reportScreenShot', ReportImageScreen), '/pages/evaluation/report/screenShot', { orderId: 'o1' })
  const times = async (saved: number, downloaded: number) => {
    await untilShown('保存到相册')
    await tap('保存到相册')
    await until(() => save.mock.calls.length === saved, `saving ${saved}`)
    expect(download).toHaveBeenCalledTimes(downloaded)
  }
  await times(1, 1)
  fail = true
  await times(2, 1)
  fail = false
  await times(3, 2)
})
