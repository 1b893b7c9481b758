import { View } from '@tarojs/components'
import type { ReactNode } from 'react'
import type { Report } from '@/contract/types'
import { Notice } from '@/ui/Notice/Notice'
import { Appraisers } from './appraisal/Appraisers'
import { copy } from './copy'
import { isExpired } from './model'
import { AskingPrice } from './parts/AskingPrice'
import { Breakdown } from './parts/Breakdown'
import { PriceCard } from './parts/PriceCard'
import { PriceTrend } from './parts/PriceTrend'
import './ReportTop.scss'

/** Shown directly below the price: why it is outdated, and whose it is. */
function Notices({ report, now, readOnly }: Pick<Props, 'report' | 'now' | 'readOnly'>) {
  const mine = report.mine !== false
  return (
    <>
      {report.status === 'REVOKED' ? <Notice tone='bad' text={copy.revokedNote} /> : null}
      {isExpired(report, now) ? (
        <Notice tone='warn' icon='clock' text={mine ? copy.expiredNote : copy.sharedExpired} />
      ) : null}
      {mine ? null : <Notice tone='info' icon='share' text={readOnly ? copy.readOnly : copy.shared} />}
    </>
  )
}

interface Props {
  report: Report
  /** ms */
  now: number
  /** read-only: no links and no actions */
  readOnly: boolean
  /** the card's button, the account's report of the other mode */
  action?: ReactNode
  other?: ReactNode
  /** below the breakdown, and below the first column where there are two; not part of the first screen */
  children?: ReactNode
  end?: ReactNode
}

/**
 * A report's chart and breakdown, stacked on a phone and side by side on wide screens. Pure: rendered by the app and by
 * the server (src/ssr).
 */
export function ReportTop({ report, now, readOnly, action, other, children, end }: Props) {
  return (
    <View className='rp-columns'>
      <View className='rp-column'>
        <PriceCard report={report} action={action} />
        <Notices report={report} now={now} readOnly={readOnly} />
        <AskingPrice report={report} />
        <Appraisers report={report} />
        <PriceTrend report={report} />
        {other}
      </View>
      <View className='rp-column'>
        {report.breakdown.length > 0 ? <Breakdown report={report} /> : null}
        {children}
      </View>
      <View className='rp-column'>{end}</View>
    </View>
  )
}
