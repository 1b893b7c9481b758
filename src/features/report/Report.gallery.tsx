import { Empty } from '@/ui/Empty/Empty'
import type { Gallery } from '@/ui/gallery'
import { SkeletonReport } from '@/ui/Skeleton/Skeleton'
import { copy } from './copy'
import { NoPrice } from './parts/NoPrice'
import { ReportContent } from './ReportScreen'
import { changed, locked, manual, unlocked } from './samples'

const gallery: Gallery = {
  title: '估价报告',
  states: [
    { name: '加载中', render: () => <SkeletonReport /> },
    { name: '待解锁', render: () => <ReportContent report={locked} /> },
    { name: '已解锁', render: () => <ReportContent report={unlocked} /> },
    { name: '重新估价后', render: () => <ReportContent report={changed} /> },
    { name: '人工估价', render: () => <ReportContent report={manual} /> },
    { name: '样本不足', render: () => <NoPrice gameId='hok' /> },
    { name: '已过期', render: () => <ReportContent report={{ ...unlocked, status: 'EXPIRED', validUntil: 0 }} /> },
    { name: '不存在', render: () => <Empty art='report' text={copy.notFound} note={copy.notFoundNote} /> },
  ],
}

export default gallery
