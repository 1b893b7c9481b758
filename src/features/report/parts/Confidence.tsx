import { View } from '@tarojs/components'
import { confidenceText, liquidityText } from '@/contract/labels'
import type { Report } from '@/contract/types'
import { Card } from '@/ui/Card/Card'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/Icon/Icon'
import { Tag, type Tone } from '@/ui/Tag/Tag'
import { copy } from '../copy'
import './Confidence.scss'

const tones: Record<NonNullable<Report['confidence']>['level'], Tone> = { HIGH: 'ok', MEDIUM: 'blue', LOW: 'warn' }

/** How sure the number is, and why; how fast such accounts sell. */
export function Confidence({ report }: { report: Report }) {
  const { confidence, percentile, liquidity } = report
  if (!confidence) return null
  return (
    <Card
      title={copy.confidence}
      extra={
        <Tag tone={tones[confidence.level]}>
          {confidenceText[confidence.level]} · {Math.round(confidence.score)} 分
        </Tag>
      }
    >
      {confidence.reasons.map((reason) => {
        const doubt = confidence.doubts?.includes(reason)
        return (
          <View key={reason} className={cx('rp-reason', doubt && 'rp-reason--doubt')}>
            <Icon name={doubt ? 'warning' : 'check'} size='s' />
            <View className='rp-reason__text'>{doubt ? copy.doubt(reason) : reason}</View>
          </View>
        )
      })}
      {percentile === undefined && !liquidity ? null : (
        <View className='rp-facts'>
          {percentile === undefined ? null : <View className='rp-facts__one'>{copy.percentile(percentile)}</View>}
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
