import { Empty } from '@/ui/Empty/Empty'
import type { Gallery } from '@/ui/gallery'
import { SkeletonReport } from '@/ui/Skeleton/Skeleton'
import { copy } from './copy'
import { ReportContent } from './ReportScreen'
import { locked, unlocked } from './samples'

const gallery: Gallery = {
  title: '估价报告',
  states: [
    { name: '加载中', render: () => <SkeletonReport /> },
    { name: '待解锁', render: () => <ReportContent report={locked} /> },
    { name: '已解锁', render: () => <ReportContent report={unlocked} /> },
    { name: '已过期', render: () => <ReportContent report={{ ...unlocked, status: 'EXPIRED', validUntil: 0 }} /> },
    { name: '不存在', render: () => <Empty art='report' text={copy.notFound} note={copy.notFoundNote} /> },
  ],
}

export default gallery
