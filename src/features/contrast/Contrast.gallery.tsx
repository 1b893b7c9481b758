import { fourReports, twoReports } from '@/samples/contrast'
import { Empty } from '@/ui/Empty/Empty'
import type { Gallery } from '@/ui/gallery'
import { ContrastContent } from './ContrastScreen'
import { copy } from './copy'

const gallery: Gallery = {
  title: '对比分析',
  states: [
    { name: '两份', render: () => <ContrastContent contrast={twoReports} /> },
    { name: '四份', render: () => <ContrastContent contrast={fourReports} /> },
    { name: '没有选择', render: () => <Empty art='report' text={copy.wrong} /> },
  ],
}

export default gallery
