import { View } from '@tarojs/components'
import type { Report } from '@/contract/types'
import { Card } from '@/ui/Card/Card'
import { humanCopy } from './copy'
import './appraisal.scss'

/** Why a later version was asked for, and what the appraiser changed in it. */
export function Revised({ report: { revised, price } }: { report: Report }) {
  if (!revised) return null
  const { reasons, text, answer, beforeFen } = revised
  return (
    <Card title={humanCopy.revised}>
      <View className='hm-row'>
        <View className='hm-row__name'>{humanCopy.revisedPrice(beforeFen, price.predictFen)}</View>
        {reasons.length > 0 ? <View className='hm-row__note'>{humanCopy.revisedWhy(reasons)}</View> : null}
        {text ? <View className='hm-row__note'>{text}</View> : null}
      </View>
      <View className='hm-row'>
        <View className='hm-row__name'>{humanCopy.revisedAnswer}</View>
        <View className='hm-row__why'>{answer}</View>
      </View>
    </Card>
  )
}
