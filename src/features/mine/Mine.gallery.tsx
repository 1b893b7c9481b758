import type { Gallery } from '@/ui/gallery'
import { Counts } from './parts/Counts'
import { GuestHead, HeadBones, HeadFailed } from './parts/Head'

const gallery: Gallery = {
  title: '我的',
  states: [
    { name: '未登录', render: () => <GuestHead /> },
    { name: '加载中', render: () => <HeadBones /> },
    { name: '加载失败', render: () => <HeadFailed onRetry={() => undefined} /> },
    { name: '数量', render: () => <Counts counts={{ unpaid: 0, ing: 1, done: 120, refund: 0 }} prices /> },
    {
      name: '不显示支付',
      render: () => <Counts counts={{ unpaid: 2, ing: 1, done: 0, refund: 0 }} prices={false} />,
    },
  ],
}

export default gallery
