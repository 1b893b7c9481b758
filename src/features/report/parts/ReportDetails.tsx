import { View } from '@tarojs/components'
import { useState } from 'react'
import { dateTimeText } from '@/contract/timeText'
import type { Report } from '@/contract/types'
import { clipboard } from '@/platform/clipboard'
import { nav } from '@/router/nav'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { Disclosure } from '@/ui/Disclosure/Disclosure'
import { copy } from '../copy'
import { AccountName } from './AccountName'
import './ReportDetails.scss'

interface Props {
  report: Report
  /** without links */
  plain?: boolean
  /** the owner named the account; absent for other readers */
  onNamed?: (() => void) | undefined
}

/** Report number and the account's name; dates, model and documents on tap; the disclaimer. */
export function ReportDetails({ report, plain = false, onNamed }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Card title={copy.about} flush>
        <Cell
          title={copy.reportNo}
          value={report.reportNo}
          {...(!plain && {
            label: `${copy.copyNo} ${report.reportNo}`,
            onClick: () => void clipboard.copy(report.reportNo),
          })}
        />
        {onNamed ? <AccountName report={report} onNamed={onNamed} /> : null}
        {open ? (
          <>
            <Cell title={copy.createdAt} value={dateTimeText(report.createdAt)} />
            <Cell title={copy.validUntil} value={dateTimeText(report.validUntil)} />
            {report.model ? <Cell title={copy.model} note={copy.modelNote(report.model)} /> : null}
            {report.mode === 'AI' && !plain ? (
              <>
                <Cell title={copy.method} onClick={() => void nav.to('article', { key: 'METHOD' })} />
                <Cell title={copy.accuracy} onClick={() => void nav.to('article', { key: 'ACCURACY' })} />
              </>
            ) : null}
            {report.verifyUrl && !plain ? (
              <Cell
                title={copy.proof}
                onClick={() => void nav.to('webview', { url: report.verifyUrl ?? '', title: copy.proof })}
              />
            ) : null}
            {plain ? null : (
              <Cell title={copy.notice} onClick={() => void nav.to('article', { key: 'VALUATION_NOTICE' })} />
            )}
          </>
        ) : null}
        <View className='rp-details__fold'>
          <Disclosure open={open} onToggle={setOpen} text={open ? copy.foldDetails : copy.moreDetails} />
        </View>
      </Card>
      <View className='rp-legal'>{copy.disclaimer}</View>
    </>
  )
}
