import { View } from '@tarojs/components'
import { percentileText } from '@/contract/format'
import { confidenceText, doubtsText, liquidityText } from '@/contract/labels'
import type { Report } from '@/contract/types'
import { Card } from '@/ui/Card/Card'
import { Icon } from '@/ui/Icon/Icon'
import { Tag, type Tone } from '@/ui/Tag/Tag'
import { copy } from '../copy'
import './Confidence.scss'

const tones: Record<NonNullable<Report['confidence']>['level'], Tone> = { HIGH: 'ok', MEDIUM: 'blue', LOW: 'warn' }

const confidenceFact = (icon: 'check' | 'warning') => (reason: string) => (
  <View key={reason} className={`rp-reason rp-reason--${icon}`}>
    <Icon name={icon} size='s' />
    <View className='rp-reason__text'>{reason}</View>
  </View>
)

/** How sure the number is, and why; how fast such accounts sell. */
export function Confidence({ report }: { report: Report }) {
  const { confidence, percentile, liquidity, title } = report
  if (!confidence) return null
  const { reasons, doubts = [] } = confidence
  return (
    <Card
      title={copy.confidence}
      extra={
        <Tag tone={tones[confidence.level]}>
          {confidenceText[confidence.level]} · {Math.round(confidence.score)} 分
        </Tag>
      }
    >
      {reasons.filter((reason) => !doubts.includes(reason)).map(confidenceFact('check'))}
      {doubts.length > 0 ? <View className='rp-doubts'>{doubtsText}</View> : null}
      {doubts.map(confidenceFact('warning'))}
      {percentile === undefined && !liquidity ? null : (
        <View className='rp-facts'>
          {percentile === undefined ? null : <View className='rp-facts__one'>{percentileText(percentile, title)}</View>}
          {liquidity ? (
            <View className='rp-facts__one'>
              {copy.liquidity}：{liquidityText[liquidity.level]}，{copy.liquidityDays(liquidity.days)}
            </View>
          ) : null}
        </View>
      )}
    </Card>
  )
}
