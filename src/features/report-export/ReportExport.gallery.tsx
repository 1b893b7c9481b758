import { ApiError } from '@/api'
import type { Res } from '@/contract/types'
import { unlockedReport } from '@/samples/report'
import { Empty } from '@/ui/Empty/Empty'
import type { Gallery } from '@/ui/gallery'
import { copy } from './copy'
import { DownloadContent } from './DownloadScreen'
import { ReportImageContent } from './ReportImageScreen'
import type { HideableField, SaveState } from './useReportFile'

/** stands for a poster: its night-blue head and its cards */
const sample = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns='http://www.w3.org/2000/svg' width='750' height='2528'><rect width='750' height='2528' fill='#f4f6fb'/><path fill='#13235b' d='M0 0h750v736H0z'/><path fill='#fff' d='M64 264h260v120H64zM64 620h622v20H64zM32 768h686v560H32zM32 1360h686v460H32zM32 1852h686v460H32z'/></svg>`,
)}`
const picture: Res<'evaluation', 'reportImage'> = {
  url: sample,
  width: 750,
  height: 2528,
  expireAt: Date.now() + 900_000,
  size: 71_314,
}
const locked = new ApiError({ kind: 'business', code: 'REPORT_LOCKED', msg: copy.locked, behaviour: 'toast' })
const nothing = () => undefined
const idle: SaveState = { kind: 'IDLE' }

const poster = (saving: SaveState, hide: HideableField[] = []) => (
  <ReportImageContent {...{ orderId: 'o1', picture, file: picture, saving, hide }} onHide={nothing} onSave={nothing} />
)
const file = (
  format: 'PNG' | 'PDF',
  saving: SaveState = idle,
  error?: ApiError,
  over: Partial<typeof unlockedReport> = {},
) => (
  <DownloadContent
    {...{ orderId: 'o1', format, saving, hide: [], report: { ...unlockedReport, ...over } }}
    load={{ data: error ? undefined : picture, error, loading: false, reload: async () => undefined }}
    onFormat={nothing}
    onHide={nothing}
    onSave={nothing}
  />
)

const gallery: Gallery = {
  title: '图片和文档',
  states: [
    {
      name: '图片：正在画',
      render: () => (
        <ReportImageContent
          {...{ orderId: 'o1', picture: undefined, file: undefined, saving: idle, hide: [] }}
          onHide={nothing}
          onSave={nothing}
        />
      ),
    },
    { name: '图片', render: () => poster(idle) },
    { name: '图片：隐藏昵称', render: () => poster(idle, ['NICK']) },
    { name: '图片：下载中', render: () => poster({ kind: 'BUSY', percent: 40 }) },
    { name: '图片：没有权限', render: () => poster({ kind: 'REFUSED' }) },
    { name: '图片：已保存', render: () => poster({ kind: 'SAVED' }) },
    { name: '文档', render: () => file('PDF') },
    { name: '文档：已下载', render: () => file('PDF', { kind: 'SAVED' }) },
    { name: '文档：失败', render: () => file('PDF', { kind: 'FAILED' }) },
    { name: '文档：未解锁', render: () => file('PDF', idle, locked) },
    { name: '已过期的报告', render: () => file('PNG', idle, undefined, { status: 'EXPIRED' }) },
    { name: '不存在', render: () => <Empty art='report' text={copy.notFound} note={copy.notFoundNote} /> },
  ],
}

export default gallery
