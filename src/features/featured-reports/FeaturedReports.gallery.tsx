import { sampleCard } from '@/samples/reportCard'
import type { Gallery } from '@/ui/gallery'
import { SkeletonRows } from '@/ui/Skeleton/Skeleton'
import { ConsentNotice, FeaturedReportCard, NoReports } from './FeaturedReportsScreen'

const long = { ...sampleCard, reportNo: 'GZ2', title: '永劫无间 · 国服 · 含多款绝版与联动外观的长标题账号 · 等级 300' }

const gallery: Gallery = {
  title: '优秀报告',
  states: [
    { name: '加载中', render: () => <SkeletonRows /> },
    {
      name: '列表',
      render: () => (
        <>
          <ConsentNotice cards={[sampleCard]} />
          <FeaturedReportCard card={sampleCard} />
          <FeaturedReportCard card={long} />
        </>
      ),
    },
    { name: '还没有', render: () => <NoReports /> },
  ],
}

export default gallery
