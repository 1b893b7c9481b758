import {
  expertReport,
  lockedReport,
  manualReport,
  renewedReport,
  revaluedReport,
  sharedReport,
  unlockedReport,
} from '@/samples/report'
import { Empty } from '@/ui/Empty/Empty'
import type { Gallery } from '@/ui/gallery'
import { SkeletonReport } from '@/ui/Skeleton/SkeletonPages'
import { copy } from './copy'
import { NoPrice } from './parts/NoPrice'
import { ShareSheet } from './parts/ShareSheet'
import { ReportContent } from './ReportScreen'

const nothing = () => undefined

const gallery: Gallery = {
  title: '估价报告',
  states: [
    { name: '加载中', render: () => <SkeletonReport /> },
    { name: '待解锁', render: () => <ReportContent report={lockedReport} /> },
    { name: '已解锁', render: () => <ReportContent report={unlockedReport} /> },
    { name: '重新估价后', render: () => <ReportContent report={renewedReport} /> },
    { name: '人工估价', render: () => <ReportContent report={manualReport} /> },
    { name: '人工估价，两位', render: () => <ReportContent report={expertReport} /> },
    { name: '人工复估', render: () => <ReportContent report={revaluedReport} /> },
    { name: '好友看到的', render: () => <ReportContent report={sharedReport} /> },
    { name: '嵌入', render: () => <ReportContent report={sharedReport} readOnly /> },
    { name: '分享', render: () => <ShareSheet report={unlockedReport} open onClose={nothing} onShared={nothing} /> },
    { name: '样本不足', render: () => <NoPrice gameId='hok' /> },
    {
      name: '已过期',
      render: () => <ReportContent report={{ ...unlockedReport, status: 'EXPIRED', validUntil: 0 }} />,
    },
    { name: '不存在', render: () => <Empty art='report' text={copy.notFound} note={copy.notFoundNote} /> },
  ],
}

export default gallery
