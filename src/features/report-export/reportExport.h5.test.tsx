import type { Req, Res } from '@/contract/types'
import { fakeStorage } from '@/platform/storage/fake'
import { page } from '@/router/page'
import { unlockedReport } from '@/samples/report'
import { dispatch, startSession } from '@/session/store'
import { fakeServer, Refused } from '../../../test/fakes/api'
import { navigations } from '../../../test/fakes/navigation'
import { find, shown, tap, until, untilShown } from '../../../test/fakes/screen'
import { openPage } from '../../../test/fakes/taro'
import { DownloadScreen } from './DownloadScreen'
import { ReportImageScreen } from './ReportImageScreen'

jest.mock('@/platform/meta/wechat', () => ({ setWechatShareData: () => undefined }))
jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())

type Ask = Req<'evaluation', 'reportImage'>
type File = Res<'evaluation', 'reportImage'>

/** a browser's downloads: addresses and names */
let saved: [string, string][]
let asked: Ask[]
/** addresses that were fetched */
let fetched: string[]
const agent = jest.spyOn(navigator, 'userAgent', 'get')
beforeEach(() => {
  localStorage.clear()
  saved = []
  asked = []
  fetched = []
  navigations.length = 0
  agent.mockReturnValue('Mozilla/5.0 (iPhone) Safari')
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push([this.href, this.download])
  })
  startSession(fakeStorage())
  dispatch({ type: 'loggedIn', token: 't', userId: 'u1', newUser: false })
})

/** Each file has its own address, new at every asking. */
function server({
  refuse,
  status = 200,
  of = unlockedReport,
}: {
  refuse?: Refused
  status?: number
  of?: typeof unlockedReport
} = {}) {
  const reportImage = (req: Ask): File => {
    asked.push(req)
    if (refuse && req.format === 'PDF') throw refuse
    const url = `/pictures/s${asked.length}/${unlockedReport.reportNo}.${(req.format ?? 'PNG').toLowerCase()}`
    return { url, width: 750, height: 2400, expireAt: Date.now() + 900_000, size: 2_200_000 }
  }
  const file = (path: string) => {
    fetched.push(path)
    return status
  }
  fakeServer({ evaluation: { reportImage, reportGet: () => of } }, {}, file)
}
const openPicture = () =>
  openPage(page('reportScreenShot', ReportImageScreen), '/pages/evaluation/report/screenShot', { orderId: 'o1' })
const openDownload = () =>
  openPage(page('reportDownload', DownloadScreen), '/pages/evaluation/report/download', { orderId: 'o1' })
const picture = () => document.querySelector<HTMLElement>('.export-poster__image')?.getAttribute('src')

describe('the picture', () => {
  it('can be long-pressed, is redrawn for hidden fields, and is saved under the report number', async () => {
    server()
    await openPicture()
    await until(() => picture() === `http://localhost/pictures/s1/${unlockedReport.reportNo}.png`, 'the picture')
    expect(shown()).toContain('长按图片')
    await tap('昵称和账号ID')
    await tap('价格区间')
    await until(() => asked.length === 3, 'the picture without both')
    expect(asked.map(({ hide }) => hide)).toEqual([undefined, 'NICK', 'NICK,RANGE'])
    await until(() => picture()?.includes('/s3/') === true, 'the new picture')
    await tap('保存图片')
    await untilShown('已开始下载')
    expect(saved).toEqual([['blob:fake', `gujia-${unlockedReport.reportNo}.png`]])
    expect(fetched).toEqual([`/pictures/s${asked.length}/${unlockedReport.reportNo}.png`])
    expect(asked.at(-1)?.hide).toBe('NICK,RANGE')
    // another picture was not saved yet
    await tap('价格区间')
    await until(() => !shown().includes('已开始下载'), 'the end of the old news')
  })

  it('in WeChat is saved by long press or another browser, because downloads do not work', async () => {
    agent.mockReturnValue('Mozilla/5.0 (iPhone) MicroMessenger/8.0.50')
    const writeText = jest.fn().mockResolvedValue(undefined)
    Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true })
    server()
    await openPicture()
    await until(() => picture() !== undefined, 'the picture')
    expect(find('保存图片')).toBeUndefined()
    expect(shown()).toContain('微信里不能直接下载')
    await tap('复制链接到浏览器')
    expect(writeText).toHaveBeenCalledWith(expect.stringMatching(/^http:\/\/localhost.*\/pictures\/s1\//))
    await tap('下载文档')
    expect(navigations).toEqual(['push /pages/evaluation/report/download?orderId=o1'])
  })

  it('that cannot be fetched says so and is fetched again; of a report that is gone there is none', async () => {
    server({ status: 503 })
    await openPicture()
    await until(() => picture() !== undefined, 'the picture')
    await tap('保存图片')
    await until(() => find('重试') !== undefined, 'the failure')
    expect(saved).toEqual([])
    server()
    await tap('重试')
    await untilShown('已开始下载')
    fakeServer({
      evaluation: {
        reportImage: () => {
          throw new Refused(404, 'NOT_FOUND', '该报告已被撤回，不能再生成图片')
        },
      },
    })
    await openPicture()
    await untilShown('该报告已被撤回')
    await tap('查看估价记录')
    expect(navigations).toEqual(['replace /pagesA/pages/mine/evaluation/records'])
  })
})

describe('the download', () => {
  it('shows format, size and validity, and saves the document', async () => {
    server()
    await openDownload()
    await untilShown('下载 PDF · 2.1 MB')
    for (const text of [unlockedReport.title, unlockedReport.reportNo, '有效期至', '验真二维码'])
      expect(shown()).toContain(text)
    await tap('下载\u00a0PDF ·\u00a02.1\u00a0MB')
    await untilShown('已开始下载，请到浏览器的下载里查看')
    expect(saved).toEqual([['blob:fake', `gujia-${unlockedReport.reportNo}.pdf`]])
    await tap('图片 PNG一张长图，适合发给买家或保存到相册')
    await untilShown('下载 PNG')
    expect(shown()).not.toContain('已开始下载')
    expect(asked.at(-1)?.format).toBe('PNG')
  })

  it('of a locked report offers the picture, and for the document the way to unlock', async () => {
    const refuse = new Refused(200, 'REPORT_LOCKED', '完整报告尚未解锁，解锁后可以下载 PDF')
    server({ refuse, of: { ...unlockedReport, status: 'LOCKED' } })
    await openDownload()
    await untilShown('下载 PNG')
    await tap('文档 PDF完整报告，A4 排版，文字可以选择和搜索')
    await untilShown('完整报告尚未解锁')
    await tap('去解锁')
    expect(navigations).toEqual(['push /pages/evaluation/report/index?orderId=o1'])
    expect(fetched).toEqual([])
  })

  it('in WeChat a document goes to another browser', async () => {
    agent.mockReturnValue('Mozilla/5.0 (Linux; Android 14) MicroMessenger/8.0.50')
    const writeText = jest.fn().mockResolvedValue(undefined)
    Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true })
    server({ of: { ...unlockedReport, status: 'EXPIRED' } })
    await openDownload()
    await untilShown('前有效，拿到链接的人都能打开')
    expect(shown()).toContain('已过期')
    await tap('复制链接到浏览器')
    expect(writeText).toHaveBeenCalledWith(expect.stringMatching(/\.pdf$/))
    expect(saved).toEqual([])
  })
})
