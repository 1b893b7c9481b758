import { View } from '@tarojs/components'
import { estimate } from '@/contract/format'
import { improvementCostText, riskLevelText } from '@/contract/labels'
import type { Report } from '@/contract/types'
import { Card } from '@/ui/Card/Card'
import { Icon } from '@/ui/Icon/Icon'
import { Tag, type Tone } from '@/ui/Tag/Tag'
import { copy } from '../copy'
import './ReportSections.scss'

/** Free or reversible improvements only, each with its effect in yuan. */
export function PriceImprovements({ list }: { list: NonNullable<Report['raise']> }) {
  return (
    <Card title={copy.raise}>
      {list.map((one) => (
        <View key={one.action} className='rp-pair'>
          <View className='rp-pair__name'>
            {copy.raiseGain(one.action, one.gainFen > 0 ? estimate(one.gainFen) : undefined)}
          </View>
          <Tag>{improvementCostText[one.cost]}</Tag>
        </View>
      ))}
    </Card>
  )
}

const tones: Record<NonNullable<Report['risk']>['level'], Tone> = { LOW: 'ok', MEDIUM: 'warn', HIGH: 'bad' }

/** Risks beside the price: facts by which the first owner could recover the account. */
export function Risk({ risk }: { risk: NonNullable<Report['risk']> }) {
  return (
    <Card title={copy.risk} extra={<Tag tone={tones[risk.level]}>{riskLevelText[risk.level]}</Tag>}>
      {risk.facts.map((fact) => (
        <View key={fact} className='rp-fact'>
          <Icon name='warning' size='s' />
          <View className='rp-fact__text'>{fact}</View>
        </View>
      ))}
    </Card>
  )
}

/** What an unlock adds, with counts; `isUnavailable`: the server offers no unlock method yet. */
export function LockedParts({ parts, isUnavailable }: { parts: readonly string[]; isUnavailable: boolean }) {
  return (
    <Card title={copy.lockedTitle} extra={<Icon name='lock' label={copy.lockedTitle} />}>
      <View className='rp-fact__text'>{parts.join(' · ')}</View>
      {isUnavailable ? <View className='rp-note'>{copy.unlockSoon}</View> : null}
    </Card>
  )
}
