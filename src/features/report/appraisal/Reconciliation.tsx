import { View } from '@tarojs/components'
import { signedYuan, yuan } from '@/contract/format'
import { NO_PICTURES, reconciliationRows, reconciliationTitle } from '@/contract/reconciliation'
import type { Report } from '@/contract/types'
import { Card } from '@/ui/Card/Card'
import { Notice } from '@/ui/Notice/Notice'
import { appraisersOf } from './appraiserStatistics'
import { humanCopy } from './copy'
import './appraisal.scss'

/** From the model's price to the report's, exact to the fen, and what was compared with the pictures. */
export function Reconciliation({ report }: { report: Report }) {
  const { reconciliation, pictures } = report
  const checked = [...new Set(appraisersOf(report).flatMap(({ work }) => work.checked))]
  return (
    <>
      {pictures === 0 ? <Notice tone='warn' text={NO_PICTURES} /> : null}
      {reconciliation ? (
        <Card title={reconciliationTitle(reconciliation)}>
          {reconciliationRows(report).map(({ label, fen, signed }) => (
            <View key={label} className='hm-sum'>
              <View className='hm-sum__label'>{label}</View>
              <View className='hm-sum__amount'>{signed ? signedYuan(fen) : yuan(fen)}</View>
            </View>
          ))}
          {checked.length > 0 ? <View className='hm-row__note'>{humanCopy.checked(checked)}</View> : null}
        </Card>
      ) : null}
    </>
  )
}
