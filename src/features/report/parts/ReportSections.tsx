import { View } from '@tarojs/components'
import { estimate } from '@/contract/format'
import { improvementCostText, modeText, riskLevelText } from '@/contract/labels'
import type { Report } from '@/contract/types'
import { nav } from '@/router/nav'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { Icon } from '@/ui/Icon/Icon'
import { Tag, type Tone } from '@/ui/Tag/Tag'
import { copy } from '../copy'
import { lockedParts } from '../model'
import './ReportSections.scss'

/** Free or reversible improvements only, each with its effect in yuan. */
export function PriceImprovements({ list = [] }: { list?: Report['raise'] | undefined }) {
  if (list.length === 0) return null
  return (
    <Card title={copy.raise}>
      {list.map((line) => (
        <View key={line.action} className='rp-pair'>
          <View className='rp-pair__name'>
            {copy.raiseGain(line.action, line.gainFen > 0 ? estimate(line.gainFen) : undefined)}
          </View>
          <Tag>{improvementCostText[line.cost]}</Tag>
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

/** What an unlock adds, with counts. */
export function LockedParts({ report }: { report: Report }) {
  const parts = lockedParts(report)
  if (parts.length === 0) return null
  return (
    <Card title={copy.lockedTitle} extra={<Icon name='lock' label={copy.lockedTitle} />}>
      <View className='rp-fact__text'>{parts.join(' · ')}</View>
    </Card>
  )
}

/** The report as a picture and as a document, for its owner. */
export function ExportCard({ report: { orderId, status } }: { report: Report }) {
  if (status === 'REVOKED') return null
  return (
    <Card flush>
      <Cell icon='camera' title={copy.shareImage} onClick={() => void nav.to('reportScreenShot', { orderId })} />
      <Cell icon='download' title={copy.document} onClick={() => void nav.to('reportDownload', { orderId })} />
    </Card>
  )
}

/** The account's price by the other kind of valuation, with the reason for a large difference. */
export function OtherValuation({ report: { other } }: { report: Report }) {
  if (!other) return null
  const { orderId, mode, predictFen, reason } = other
  return (
    <Card flush>
      <Cell
        title={copy.other(modeText[mode], estimate(predictFen))}
        note={reason}
        onClick={() => void nav.to('report', { orderId })}
      />
    </Card>
  )
}
