import { View } from '@tarojs/components'
import type { ReactNode } from 'react'
import type { Gallery } from '@/ui/gallery'
import '@/ui/gallery.scss'
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
).map(([adjFen, sold]) => ({ adjFen, kind: sold ? ('SOLD' as const) : ('ASKING' as const) }))

const card = (chart: ReactNode) => (
  <View className='g-gradient' style={{ color: '#fff' }}>
    {chart}
  </View>
)

const gallery: Gallery = {
  title: '价格区间',
  states: [
    {
      name: '价格卡',
      render: () => card(<PriceRangeChart price={price} comparables={comparables} days={[3, 7]} />),
    },
    { name: '没有可比', render: () => card(<PriceRangeChart price={wide} comparables={[]} />) },
    { name: '过宽', render: () => card(<PriceRangeChart price={price} comparables={comparables} wide />) },
    { name: '列表里', render: () => <PriceRangeBar price={price} /> },
  ],
}

export default gallery
