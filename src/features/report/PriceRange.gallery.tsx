import { View } from '@tarojs/components'
import type { Gallery } from '@/ui/gallery'
import '@/ui/gallery.scss'
import { Price } from '@/ui/Price/Price'
import { PriceRangeBar } from '@/ui/PriceRangeBar/PriceRangeBar'
import { PriceRangeChart } from './parts/PriceRangeChart'

const price = {
  predictFen: 232269,
  lowFen: 193000,
  highFen: 279000,
  quickFen: 198000,
  listFen: 256000,
  coverage: 0.8,
}
const wide = {
  predictFen: 1284500,
  lowFen: 820000,
  highFen: 1990000,
  quickFen: 1010000,
  listFen: 1560000,
  coverage: 0.8,
}
const comparables = (
  [
    [188000, 1],
    [199000, 1],
    [205000, 0],
    [212000, 1],
    [215000, 1],
    [216000, 1],
    [224000, 1],
    [226000, 0],
    [233000, 1],
    [236000, 1],
    [238000, 0],
    [247000, 1],
    [252000, 0],
    [266000, 1],
    [289000, 0],
    [640000, 0],
  ] as const
).map(([adjFen, sold], i) => ({
  adjFen,
  kind: sold ? ('SOLD' as const) : ('ASKING' as const),
  closeness: (['NEAR', 'CLOSE', 'REFERENCE'] as const)[Math.min(2, Math.floor(i / 3))] ?? 'REFERENCE',
}))

const gallery: Gallery = {
  title: '价格区间',
  states: [
    { name: '完整', render: () => <PriceRangeChart price={price} comparables={comparables} /> },
    {
      name: '价格卡',
      render: () => (
        <View className='g-gradient' style={{ color: '#fff' }}>
          <View>参考成交价</View>
          <Price fen={price.predictFen} size='xl' />
          <PriceRangeChart price={price} comparables={comparables} days={[3, 7]} onGradient />
        </View>
      ),
    },
    { name: '没有可比', render: () => <PriceRangeChart price={wide} /> },
    { name: '列表里', render: () => <PriceRangeBar price={price} /> },
  ],
}

export default gallery
