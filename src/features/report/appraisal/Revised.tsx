import { View } from '@tarojs/components'
import type { Report } from '@/contract/types'
import { Card } from '@/ui/Card/Card'
import { humanCopy } from './copy'
import './appraisal.scss'

/** Why a later version was asked for; what changed is in the appraiser's comment. */
export function Revised({ report: { revised, price } }: { report: Report }) {
  if (!revised) return null
  const { text, beforeFen } = revised
  return (
    <Card title={humanCopy.revised}>
      <View className='hm-row'>
        <View className='hm-row__name'>{humanCopy.revisedPrice(beforeFen, price.predictFen)}</View>
        <View className='hm-row__note'>{text}</View>
      </View>
    </Card>
  )
}
