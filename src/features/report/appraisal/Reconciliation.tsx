import { View } from '@tarojs/components'
import { signedYuan, yuan } from '@/contract/format'
import { NO_PICTURES, reconciliationRows, reconciliationTitle } from '@/contract/reconciliation'
import type { Report } from '@/contract/types'
import { Card } from '@/ui/Card/Card'
import { cx } from '@/ui/cx'
import { Notice } from '@/ui/Notice/Notice'
import { appraisersOf } from './appraiserStatistics'
import { humanCopy } from './copy'
import './appraisal.scss'

/** From the model's price to the report's, exact to the fen, and what was compared with the pictures. */
export function Reconciliation({ report }: { report: Report }) {
  const { reconciliation, pictures } = report
  const checked = [...new Set(appraisersOf(report).flatMap(({ work }) => work.checked))]
  const proof = pictures === 0 ? NO_PICTURES : checked.length > 0 ? humanCopy.checked(checked) : undefined
  if (!reconciliation) return proof ? <Notice text={proof} /> : null
  return (
    <Card title={reconciliationTitle(reconciliation)}>
      {reconciliationRows(report).map(({ label, fen, signed }) => (
        <View key={label} className={cx('hm-sum', !signed && 'hm-sum--price')}>
          <View className='hm-sum__label'>{label}</View>
          <View className='hm-sum__amount'>{signed ? signedYuan(fen) : yuan(fen)}</View>
        </View>
      ))}
      {proof ? <View className='hm-row__note'>{proof}</View> : null}
    </Card>
  )
}
