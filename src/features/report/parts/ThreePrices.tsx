import { View } from '@tarojs/components'
import type { Report } from '@/contract/types'
import { Card } from '@/ui/Card/Card'
import { Price } from '@/ui/Price/Price'
import { copy } from '../copy'
import './ThreePrices.scss'

/** One number for each of three intentions, and which is for what. */
export function ThreePrices({ price }: { price: Report['price'] }) {
  const { quickFen, predictFen, listFen } = price
  if (quickFen === undefined || listFen === undefined) return null
  const three = [
    { label: copy.quick, note: copy.quickNote, fen: quickFen },
    { label: copy.predict, note: copy.predictNote, fen: predictFen },
    { label: copy.list, note: copy.listNote, fen: listFen },
  ]
  return (
    <Card title={copy.three}>
      {three.map(({ label, note, fen }) => (
        <View key={label} className='rp-three'>
          <View className='rp-three__body'>
            <View className='rp-three__label'>{label}</View>
            <View className='rp-three__note'>{note}</View>
          </View>
          <Price fen={fen} size='m' />
        </View>
      ))}
    </Card>
  )
}
