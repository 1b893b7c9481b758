import { View } from '@tarojs/components'
import type { ReactNode } from 'react'
import type { Report } from '@/contract/types'
import { Card } from '@/ui/Card/Card'
import { Notice } from '@/ui/Notice/Notice'
import { copy } from './copy'
import { validity } from './model'
import { Confidence } from './parts/Confidence'
import { PriceCard } from './parts/PriceCard'
import { ThreePrices } from './parts/ThreePrices'
import './ReportTop.scss'

function Warnings({ report, now, readOnly }: Pick<Props, 'report' | 'now' | 'readOnly'>) {
  const { expired } = validity(report, now)
  const mine = report.mine !== false
  return (
    <>
      {mine ? null : <Notice tone='info' icon='share' text={readOnly ? copy.readOnly : copy.shared} />}
      {report.status === 'REVOKED' ? <Notice tone='bad' text={copy.revokedNote} /> : null}
      {expired ? <Notice tone='warn' icon='clock' text={mine ? copy.expiredNote : copy.sharedExpired} /> : null}
      {report.model?.synthetic ? <Notice tone='info' text={copy.synthetic} /> : null}
    </>
  )
}

function Appraiser({ report }: { report: Report }) {
  const both = [report.appraiser, report.second].filter((one) => one !== undefined)
  return (
    <>
      {both.map(({ name, no, years, comment, priceFen }) => (
        <Card key={no} title={copy.appraiser(name, years)} extra={no}>
          {priceFen === undefined ? null : <View className='rp-own'>{copy.ownPrice(priceFen)}</View>}
          {comment ? <View className='rp-comment'>{comment}</View> : null}
        </Card>
      ))}
      {both.length > 1 ? <View className='rp-two'>{copy.twoPeople}</View> : null}
    </>
  )
}

interface Props {
  report: Report
  /** ms */
  now: number
  /** nothing leads away and nothing can be done */
  readOnly: boolean
  /** what only its owner sees: its name, hints, the same account valued in the other way */
  name?: ReactNode
  tips?: ReactNode
  other?: ReactNode
}

/** The first screen of a report, as the app and the server (src/first) draw it: it asks nobody for anything. */
export function ReportTop({ report, now, readOnly, name, tips, other }: Props) {
  return (
    <>
      <PriceCard report={report} now={now} name={name} />
      {tips}
      <Warnings report={report} now={now} readOnly={readOnly} />
      <Appraiser report={report} />
      {other}
      <Confidence report={report} />
      <ThreePrices price={report.price} />
    </>
  )
}
