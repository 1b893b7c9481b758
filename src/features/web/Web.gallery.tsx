import type { Gallery } from '@/ui/gallery'
import { copy } from './copy'
import { ExternalFrame, LoadingLine, PageUnavailable } from './WebScreen'

const url = 'https://example.com/rules'
const nothing = () => undefined

const gallery: Gallery = {
  title: '网页',
  states: [
    { name: '正在打开', render: () => <LoadingLine /> },
    { name: '别人的网页', render: () => <ExternalFrame url={url} host='pvp.qq.com' /> },
    {
      name: '没有打开',
      render: () => <PageUnavailable url={url} text={copy.failed} note={copy.failedNote} retry={nothing} />,
    },
    {
      name: '外部链接',
      render: () => <PageUnavailable url={url} text={copy.outside} note={copy.outsideNote('example.com')} />,
    },
    { name: '链接无效', render: () => <PageUnavailable url={url} text={copy.bad} note={copy.badNote} /> },
  ],
}

export default gallery
