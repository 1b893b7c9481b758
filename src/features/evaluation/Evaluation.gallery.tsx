import type { Order } from '@/contract/types'
import { sampleOrder } from '@/samples/order'
import type { Gallery } from '@/ui/gallery'
import { copy } from './copy'
import { PricePreview } from './fill/PricePreview'
import { NoPrice } from './parts/NoPrice'
import { ValuationProgress } from './parts/ValuationProgress'

const order = (status: Order['status'], statusText = '') => sampleOrder({ status, statusText, actions: [] })

const gallery: Gallery = {
  title: '估价',
  states: [
    { name: '价格带：还没有', render: () => <PricePreview range={undefined} rest={copy.freeLeft(5)} /> },
    {
      name: '价格带',
      render: () => <PricePreview range={{ lowFen: 160_000, highFen: 220_000, answered: 7, asked: 14 }} rest='' />,
    },
    {
      name: '提交后：等待授权',
      render: () => <ValuationProgress order={order('WAIT_AUTH')} stage='reading' visible={false} />,
    },
    {
      name: '提交后：估价中',
      render: () => <ValuationProgress order={order('PROCESSING')} stage='running' visible={false} />,
    },
    {
      name: '提交后：已出',
      render: () => <ValuationProgress order={order('REPORTED')} stage='ready' visible={false} />,
    },
    { name: '提交后：样本不足', render: () => <NoPrice order={order('INSUFFICIENT')} stage='insufficient' /> },
    { name: '提交后：失败', render: () => <NoPrice order={order('FAILED')} stage='failed' /> },
    { name: '提交后：已取消', render: () => <NoPrice order={order('CANCELED', '已取消')} stage='ended' /> },
  ],
}

export default gallery
