import { View } from '@tarojs/components'
import type { ReactNode } from 'react'
import type { Report } from '@/contract/types'
import { Notice } from '@/ui/Notice/Notice'
import { Appraisers } from './appraisal/Appraisers'
import { copy } from './copy'
import { validity } from './model'
import { Breakdown } from './parts/Breakdown'
import { PriceCard } from './parts/PriceCard'
import { PriceTrend } from './parts/PriceTrend'
import './ReportTop.scss'

/** Shown directly below the price: why it is outdated or uncertain. */
function Invalid({ report, now }: Pick<Props, 'report' | 'now'>) {
  const { expired } = validity(report, now)
  const mine = report.mine !== false
  return (
    <>
      {report.status === 'REVOKED' ? <Notice tone='bad' text={copy.revokedNote} /> : null}
      {expired ? <Notice tone='warn' icon='clock' text={mine ? copy.expiredNote : copy.sharedExpired} /> : null}
    </>
  )
}

function Disclosures({ report, readOnly }: Pick<Props, 'report' | 'readOnly'>) {
  // an appraiser's comparables are the model's sales
  const model = report.model ?? report.ai?.model
  return (
    <>
      {report.mine === false ? <Notice tone='info' icon='share' text={readOnly ? copy.readOnly : copy.shared} /> : null}
      {model?.synthetic ? <Notice tone='info' text={copy.synthetic(model.syntheticShare)} /> : null}
    </>
  )
}

interface Props {
  report: Report
  /** ms */
  now: number
  /** read-only: no links and no actions */
  readOnly: boolean
  /** the account's name, ways from the price to open questions, hints, the account's report of the other mode */
  name?: ReactNode
  ways?: ReactNode
  tips?: ReactNode
  other?: ReactNode
  /** below the breakdown; not part of the first screen */
  children?: ReactNode
}

/**
 * A report's chart and breakdown, stacked on a phone and side by side on wide screens. Pure: rendered by the app and by
 * the server (src/ssr).
 */
export function ReportTop({ report, now, readOnly, name, ways, tips, other, children }: Props) {
  return (
    <View className='rp-columns'>
      <View className='rp-column'>
        <PriceCard report={report} now={now} name={name} ways={ways} />
        <Invalid report={report} now={now} />
        <Disclosures report={report} readOnly={readOnly} />
        <Appraisers report={report} />
        <PriceTrend report={report} />
        {tips}
        {other}
      </View>
      <View className='rp-column'>
        {report.breakdown.length > 0 ? <Breakdown report={report} /> : null}
        {children}
      </View>
    </View>
  )
}
